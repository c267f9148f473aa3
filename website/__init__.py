"""What builds the pages of docs/ as a site."""
