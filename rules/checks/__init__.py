"""The rules that turn documents and claims into findings, one file a group."""
