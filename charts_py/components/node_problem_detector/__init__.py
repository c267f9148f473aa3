"""The component node-problem-detector."""
