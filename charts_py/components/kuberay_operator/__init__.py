"""The component kuberay-operator."""
