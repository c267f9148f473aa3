"""What eksctl knows of the machines that the tables list."""

from charts_py.providers.eks.eksctl_check import known_to_eksctl
from gpus.catalog import load_catalog
from gpus.provider import Provider


def test_eksctl_knows_all_listed_machines_but_the_smaller_p3_and_g4dn_metal() -> None:
    listed = set(load_catalog().instance_types[Provider.EKS])
    assert listed - known_to_eksctl() == {
        "g4dn.metal",
        "p3.2xlarge",
        "p3.8xlarge",
        "p3.16xlarge",
    }
