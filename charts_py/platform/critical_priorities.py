"""Priority classes that Kubernetes defines itself."""

NODE_CRITICAL = "system-node-critical"
CLUSTER_CRITICAL = "system-cluster-critical"
CRITICAL_PRIORITY_CLASSES = (CLUSTER_CRITICAL, NODE_CRITICAL)
"""https://kubernetes.io/docs/tasks/administer-cluster/guaranteed-scheduling-critical-addon-pods/"""
