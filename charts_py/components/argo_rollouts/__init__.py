"""The component argo-rollouts."""
