"""Many machines on one batch: a queue, the journal and the results in PostgreSQL.

Everything here but `errors` needs the extra `fleet`, and is imported by commands that are called.
"""
