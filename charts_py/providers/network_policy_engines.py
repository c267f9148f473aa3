"""The signs of engines that several providers can have."""

from charts_py.platform.engine_sign import EngineSign

CALICO = (EngineSign("calico-node", "calico-system"), EngineSign("calico-node"))
"""As its operator installs it, and as its manifests and GKE do
(https://docs.tigera.io/calico/latest/getting-started/kubernetes/)."""

CILIUM = (EngineSign("cilium"),)
"""https://docs.cilium.io/en/stable/installation/k8s-install-helm/"""
