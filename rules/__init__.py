"""What is true: the rules engine. Pure and deterministic; no model, no network, nothing of our other packages."""
