"""What the rules in CEL are built of."""
