"""What `concilio doctor` finds out: the installation, the models, the settings, and what is missing."""
