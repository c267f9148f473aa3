"""What the commands that report on a platform compute, and the tables that show it."""
