"""The admission server that applies the rules on GPU pods."""
