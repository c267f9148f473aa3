"""The objects of servers: what runs them, leads to them, measures them and replaces them."""
