"""What `gpuplane init` writes for a cluster with the usual answers."""

from pathlib import Path

from gpuplane.new_repository.asked_cluster import AskedCluster, checked, with_usual
from gpuplane.new_repository.new_cluster import NewCluster
from gpuplane.new_repository.repository import write_new_repository
from gpuplane.new_repository.source import git_commit
from gpus.provider import Provider

SOURCE = git_commit("https://git.example.com/gpuplane.git", "0" * 40)


def example_cluster(provider: Provider) -> NewCluster:
    return checked(with_usual(AskedCluster(provider=provider.value)))


def write_example_repository(folder: Path, provider: Provider = Provider.EKS) -> tuple[str, ...]:
    return write_new_repository(folder, example_cluster(provider), SOURCE)
