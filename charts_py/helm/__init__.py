"""Helm charts as the objects that they render, without a network."""
