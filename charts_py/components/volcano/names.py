"""Names of Volcano."""

VOLCANO = "volcano"
"""The component, and the release, by which its chart names its Deployments."""
NAMESPACE = "volcano-system"
"""Where its documentation installs it."""
