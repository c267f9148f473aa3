"""Extensions: what a cluster adds to its rendered objects, or changes in them."""
