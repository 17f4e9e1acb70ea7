"""The chapter file: Markdown and JSON, written and read back."""
