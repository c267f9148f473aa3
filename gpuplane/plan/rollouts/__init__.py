"""How changes reach nodes, by who works through them."""
