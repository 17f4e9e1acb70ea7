"""The embedded author: a seeded program behind the gateway that needs no model."""
