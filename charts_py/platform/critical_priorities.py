"""Priority classes that Kubernetes defines itself."""

NODE_CRITICAL = "system-node-critical"
CRITICAL_PRIORITY_CLASSES = ("system-cluster-critical", NODE_CRITICAL)
"""https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/"""
