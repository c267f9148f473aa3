"""The metrics of NVIDIA's GPU operator that rules read.

Source: controllers/operator_metrics.go of https://github.com/NVIDIA/gpu-operator at v26.7.0, whose
ServiceMonitor the operator makes itself.
"""

UPGRADES_IN_PROGRESS = "gpu_operator_nodes_upgrades_in_progress"
UPGRADES_DONE = "gpu_operator_nodes_upgrades_done"
UPGRADES_FAILED = "gpu_operator_nodes_upgrades_failed"
