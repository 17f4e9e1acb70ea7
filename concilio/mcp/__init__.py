"""The rules engine for other programs: a server of tools by the Model Context Protocol (`concilio mcp`)."""
