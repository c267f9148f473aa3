"""The metrics of Slurm's controller that rules read.

https://github.com/SchedMD/slurm, src/plugins/metrics/openmetrics/openmetrics.c at 04ff1143.
"""

NODES_DOWN = "slurm_nodes_down"
"""The number of nodes on which no job can run, at `/metrics/nodes`."""
