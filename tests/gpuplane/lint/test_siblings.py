"""What the files of a run say of each other's workloads."""

import pytest

from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.siblings import Told, siblings, told_beside

SCALER = """\
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: up{where}}}
spec: {{scaleTargetRef: {{kind: Deployment, name: serve}}, maxReplicas: {most}}}
"""
SERVE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: serve{where}}}
spec: {{replicas: 1, template: {{metadata: {{labels: {{app: serve}}}}}}}}
"""
NAMED = ", namespace: train"


def _source(file: str, text: str, where: str = "", most: int = 4) -> LintSource:
    return LintSource(file, text.format(where=where, most=most).encode())


def _most(file: str, namespace: str, *sources: LintSource) -> list[int]:
    found = siblings(told_beside(sources, None), file, namespace)
    return [most for _, most in found.autoscalers("Deployment", "serve")]


@pytest.mark.parametrize(
    ("file", "where", "found"),
    [("a/scale.yaml", "", [4]), ("b/scale.yaml", "", []), ("a/scale.yaml", NAMED, [])],
)
def test_an_object_that_names_no_namespace_is_meant_for_that_of_its_folder(
    file: str, where: str, found: list[int]
) -> None:
    sources = _source(file, SCALER, where), _source("a/serve.yaml", SERVE)
    assert _most("a/serve.yaml", "", *sources) == found


def test_an_object_in_a_namespace_is_found_in_all_folders_and_the_nearest_counts() -> None:
    sources = [
        _source("us/scale.yaml", SCALER, NAMED, 4),
        _source("eu/scale.yaml", SCALER, NAMED, 8),
        _source("eu/serve.yaml", SERVE, NAMED),
        _source("serve.yaml", SERVE, NAMED),
    ]
    assert _most("eu/serve.yaml", "train", *sources) == [8]
    assert _most("serve.yaml", "train", *sources[:1], sources[3]) == [4]


def test_only_files_with_what_another_names_are_read_besides() -> None:
    other = LintSource(
        "other.yaml", b"kind: Deployment\nmetadata: {name: x}\napiVersion: apps/v1\n"
    )
    serve = _source("serve.yaml", SERVE)
    assert told_beside([serve, other], None) == ()
    assert told_beside([_source("up.yaml", SCALER), serve, other], None) == (
        *(Told("up.yaml", "", "HorizontalPodAutoscaler", "up", {}, ("Deployment", "serve"), 4),),
        *(
            Told(
                "serve.yaml",
                "",
                "Deployment",
                "serve",
                {"app": "serve"},
                ("Deployment", "serve"),
                1,
            ),
        ),
    )


def test_a_patch_tells_nothing() -> None:
    patch = LintSource("up.yaml", SCALER.format(where="", most=4).encode(), is_patch=True)
    assert told_beside([patch, _source("serve.yaml", SERVE)], None) == ()
