"""The images of Slurm: those that Slinky's chart `slurm` names at 1.2.1."""

_REGISTRY = "ghcr.io/slinkyproject"
_TAG = "26.05-ubuntu26.04"

SLURMCTLD = f"{_REGISTRY}/slurmctld:{_TAG}"
SLURMD = f"{_REGISTRY}/slurmd:{_TAG}"
SLURMRESTD = f"{_REGISTRY}/slurmrestd:{_TAG}"
LOGIN = f"{_REGISTRY}/login:{_TAG}"

IMAGES = (SLURMCTLD, SLURMD, SLURMRESTD, LOGIN)
