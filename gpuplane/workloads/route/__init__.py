"""Routes to servers of teams."""
