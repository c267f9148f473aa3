"""Azure's AKS: agent pools by Azure Service Operator."""
