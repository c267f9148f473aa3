"""What is told of a plan, part by part, however it is printed."""
