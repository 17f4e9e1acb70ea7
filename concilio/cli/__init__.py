"""The command line, one module a command, imported only when called."""
