"""What is known of engines and models, and the arithmetic of whether a model fits."""
