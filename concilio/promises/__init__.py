"""What chapters promise of later ones (`concilio promises`): which were written, and how it is told."""
