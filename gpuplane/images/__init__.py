"""The images that a rendered version runs, its charts' included, and how to copy them."""
