"""A cluster file becomes a platform: hardware, facts of each pool, owners, limits."""
