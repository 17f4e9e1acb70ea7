"""The one place through which every model call passes."""
