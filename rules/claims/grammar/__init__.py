"""The grammar: small readers over tagged items, one module a family of claims.

A reader is called with a stream and the index of the item that may begin its claim. It looks a bounded
number of items around and returns what it found with the index after it, or None; so the whole pass is
linear in the text.
"""
