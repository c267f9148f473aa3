"""What stands on a pull request, or a merge request: one comment, and one label."""
