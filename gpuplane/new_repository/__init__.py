"""A new platform repository, from templates."""
