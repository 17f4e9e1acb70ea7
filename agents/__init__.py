"""Who speaks: one file a role, typed input to prompt to typed reply. Knows no graph."""
