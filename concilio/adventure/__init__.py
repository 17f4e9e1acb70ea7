"""Adventures in: Markdown or YAML to typed outlines, all errors at once."""
