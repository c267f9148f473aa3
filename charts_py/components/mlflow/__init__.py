"""The component mlflow, and the way of teams to it."""
