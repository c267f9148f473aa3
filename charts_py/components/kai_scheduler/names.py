"""Names of KAI Scheduler."""

KAI_SCHEDULER = "kai-scheduler"
"""The component, its chart, and what pods name it, by which its operator names a Deployment."""
NAMESPACE = "kai-scheduler"
"""Where its documentation installs it."""
