"""What the API server, or the webhook of an operator, refuses in an object."""
