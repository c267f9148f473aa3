"""Pins of foreign files, and the structural schemas compiled from them."""
