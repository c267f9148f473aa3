"""The namespaces of Slinky."""

OPERATOR_NAMESPACE = "slinky"
"""Where its documentation installs the operator."""
SLURM_NAMESPACE = "slurm"
"""The only one whose objects the operator heeds."""
