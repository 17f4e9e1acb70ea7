"""What is true: the rules engine. Pure, deterministic; no model, no network, none of our other packages."""
