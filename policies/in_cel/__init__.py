"""The rules in CEL, as the API server evaluates them by itself."""
