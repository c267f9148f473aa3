"""Priority classes that Kubernetes defines itself."""

CRITICAL_PRIORITY_CLASSES = ("system-cluster-critical", "system-node-critical")
"""https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/"""
