"""What others have to know of the chart's objects.

https://github.com/kubeflow/trainer at v2.3.0, charts/kubeflow-trainer/templates.
"""

TRAINER = "kubeflow-trainer"
"""Name of the component, of its release, and before the names of its objects."""
NAMESPACE = "kubeflow-system"
"""Where its documentation installs it, and where its Python client looks for its version."""
MANAGER = f"{TRAINER}-controller-manager"
"""Its Deployment and its service account."""
SELECTOR = {
    "app.kubernetes.io/name": TRAINER,
    "app.kubernetes.io/component": "manager",
}
"""Labels of its pods."""
METRICS_PORT = 8443
"""Where it asks callers who they are."""
