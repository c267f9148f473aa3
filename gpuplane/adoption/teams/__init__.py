"""Teams, with what bounds their namespaces and who works in them."""
