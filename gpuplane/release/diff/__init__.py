"""What differs between two versions, and how it is shown."""
