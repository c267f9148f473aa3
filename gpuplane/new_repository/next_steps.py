"""What a person does after `gpuplane init`, in order."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from charts_py.cluster_file.checkout_folder import path_in_checkout
from charts_py.cluster_file.cluster_files import FLEET_FILE
from charts_py.cluster_file.gitops import ROOT
from charts_py.providers.registry import PROVIDERS
from gpuplane.new_repository.repository import EXAMPLE_CLUSTER
from gpus.provider import Provider


def fields_to_set(provider: Provider) -> tuple[str, ...]:
    """Return the fields of the example cluster that hold for no cluster but one."""
    own = (f"{provider}.{field}" for field in PROVIDERS[provider].cluster_fields)
    return ("region", *own, "pools")


def next_steps(directory: Path, provider: Provider) -> Iterator[str]:
    """Yield a line for each step; README.md of the repository says more."""
    *others, last = (*fields_to_set(provider), "teams")
    yield from _checkout_steps(directory)
    yield f"clusters/{FLEET_FILE}: set gitops.repository to the address of that repository"
    yield f"{EXAMPLE_CLUSTER}: name it after your cluster, and set {', '.join(others)} and {last}"
    yield (
        "make image push-image IMAGE=<registry>/gpuplane-webhook:<tag>, and set webhook.image in "
        f"clusters/{FLEET_FILE} to what it prints"
    )
    yield "make synth, and commit clusters/ and dist/ together"
    yield "README.md: what the cluster must have, and how Argo CD starts"


def _checkout_steps(directory: Path) -> Iterator[str]:
    """Yield what makes a folder a git repository, or a part of one that is there."""
    path, enter = path_in_checkout(directory), shlex.join(("cd", str(directory)))
    if path is None:
        yield f"{enter} && git init --initial-branch main"
    elif path == ROOT:
        yield enter
    else:
        yield (
            f"{enter} (gitops.path is set to {path}; for a repository of its own, run git init "
            "there and set it to .)"
        )
        yield (
            "move .github/ to the root of that repository, and have the action of "
            f'pull-request.yaml run here: with: {{directory: "{path}"}}'
        )
