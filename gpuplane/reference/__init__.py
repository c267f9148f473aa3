"""Documentation and JSON schemas that are generated from the model and from what is rendered."""
