"""Keeps one comment and one label on a pull request, or a merge request."""
