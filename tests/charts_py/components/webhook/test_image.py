"""The image that nobody has set."""

from collections.abc import Callable

import pytest

from charts_py.components.registry import component_warnings
from charts_py.platform.platform import Platform
from charts_py.platform.tool_version import tool_version

SET = "registry.example.com/gpuplane-webhook:1"
PLACEHOLDER = f"ghcr.io/example/gpuplane-webhook:{tool_version()}"
WARNING = (
    f"webhook.image: {PLACEHOLDER} is a placeholder that cannot be pulled, so the first sync would "
    "never end; allowed: an image that is built and pushed, as README.md says of the webhook's "
    "image"
)


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        ("", (WARNING,)),
        (f'webhook: {{image: "{PLACEHOLDER}"}}\n', (WARNING,)),
        (f'webhook: {{image: "{SET}"}}\n', ()),
    ],
    ids=["none", "placeholder", "own"],
)
def test_a_placeholder_is_warned_of(
    text: str,
    warnings: tuple[str, ...],
    sample: Callable[..., str],
    platform_of: Callable[[str], Platform],
) -> None:
    platform = platform_of(sample("eks", ("policies:\n", f"{text}policies:\n")))
    assert tuple(str(each.problem) for each in component_warnings(platform)) == warnings


def test_a_platform_without_a_webhook_needs_no_image(
    sample: Callable[..., str], platform_of: Callable[[str], Platform]
) -> None:
    in_tree = ("policies:\n", "policies:\n  admission: in-tree-only\n")
    kubernetes = ('kubernetes: "1.35"', 'kubernetes: "1.36"')
    assert component_warnings(platform_of(sample("eks", in_tree, kubernetes))) == ()


@pytest.mark.parametrize("name", ["training", "inference", "mixed", "onprem"])
def test_the_examples_have_one(name: str, example: Callable[[str], Platform]) -> None:
    assert component_warnings(example(name)) == ()
