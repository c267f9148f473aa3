"""The component kubeflow-trainer."""
