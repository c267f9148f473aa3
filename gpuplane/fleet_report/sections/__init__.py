"""The parts of the page, each a function of the fleet."""
