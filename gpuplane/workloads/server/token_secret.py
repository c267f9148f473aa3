"""The token by which an engine downloads a model that is gated: in a Secret of the namespace."""

import re
from collections.abc import Iterator

from charts_py.cluster_file.fault import Problem
from charts_py.platform.name_rule import NameRule, check_name
from gpuplane.workloads.asked import Asked
from gpuplane.workloads.reason import Because, Tree
from gpuplane.workloads.request import Request
from gpus.platform_names import SUBDOMAIN

_OPTION = ("--token-secret",)
_SECRET = NameRule("a Secret", SUBDOMAIN, 253, "hugging-face")
_USUAL_KEY = "token"
_GATED = ("meta-llama/", "google/gemma-")
"""What models begin with that need one (https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct,
https://huggingface.co/google/gemma-3-27b-it)."""


def token(request: Request) -> list[Tree]:
    """Return the variable that libraries of Hugging Face read."""
    model = request.served.model
    if model is None or model.token_secret is None:
        return []
    name, _, key = model.token_secret.partition(":")
    reference = {"secretKeyRef": {"name": name, "key": key or _USUAL_KEY}}
    variable: Tree = {"name": "HF_TOKEN", "valueFrom": reference}
    return [Because(variable, "who may download the model; admins of the team make the Secret")]


def token_problems(asked: Asked) -> Iterator[Problem]:
    if asked.token_secret is None:
        return
    name, _, key = asked.token_secret.partition(":")
    yield from check_name(_SECRET, _OPTION, name)
    if key and not re.fullmatch(r"[-._a-zA-Z0-9]{1,253}", key):
        yield Problem(_OPTION, f'"{key}" is not a key of a Secret', f"one such as {_USUAL_KEY}")


def token_notes(request: Request) -> Iterator[str]:
    model = request.served.model
    if model is not None and model.weights.text.startswith(_GATED) and model.token_secret is None:
        yield (
            f"{model.weights} is gated: --token-secret names the Secret with a token that may "
            "download it"
        )
