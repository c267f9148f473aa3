"""What the files of a run say of each other's workloads."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

import pytest

from gpuplane.lint.cache import CacheStore
from gpuplane.lint.lint_source import LintSource
from gpuplane.lint.siblings import ToldIndex
from gpuplane.lint.told import Told
from gpuplane.lint.told_beside import told_beside
from policies.document import Json
from tests.counted_calls import is_linear

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
BUDGET = """\
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{name: keep}}
spec: {{minAvailable: 1, selector: {{matchLabels: {{app: serve}}}}}}
"""
WRAPPED = """\
apiVersion: workload.codeflare.dev/v1beta2
kind: AppWrapper
metadata: {{name: wrap}}
spec: {{components: [{{template: {{apiVersion: policy/v1, kind: PodDisruptionBudget}}}}]}}
"""
NAMED = ", namespace: train"


def _source(file: str, text: str, where: str = "", most: int = 4) -> LintSource:
    return LintSource(file, text.format(where=where, most=most).encode())


def _most(file: str, namespace: str, *sources: LintSource) -> list[int]:
    told = told_beside(sources, None)
    own = [each for each in told if each.file == file]
    found = ToldIndex(told).beside(file, own)(namespace)
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


UP = """\
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: up{where}}}
spec: {{scaleTargetRef: {{name: gone}}}}
"""


@pytest.mark.parametrize(
    ("file", "found"), [("a/serve.yaml", ["serve"]), ("a/b/serve.yaml", []), ("serve.yaml", [])]
)
def test_what_a_scaled_object_misses_is_looked_for_in_its_folder(
    file: str, found: list[str]
) -> None:
    up, serve = _source("a/up.yaml", UP), _source(file, SERVE)
    told = told_beside([up, serve], None)
    own = [each for each in told if each.file == up.shown_as]
    siblings = ToldIndex(told).beside(up.shown_as, own)("")
    assert [each.name for each in siblings.beside(["Deployment"])] == found


def test_the_file_of_a_scaled_object_is_concerned_by_the_workloads_of_its_folder() -> None:
    up, serve = _source("up.yaml", UP), _source("serve.yaml", SERVE)
    assert _concerning(up) != _concerning(up, serve)


def test_a_patch_tells_nothing() -> None:
    patch = LintSource("up.yaml", SCALER.format(where="", most=4).encode(), is_patch=True)
    assert told_beside([patch, _source("serve.yaml", SERVE)], None) == ()


def _selector(number: int) -> dict[str, Json]:
    return {"matchLabels": {"app": f"d{number}", "of": "all"}}


def _told(number: int, file: str) -> Iterator[Told]:
    serve, labels = ("Deployment", f"d{number}"), {"app": f"d{number}", "of": "all"}
    yield Told(file, "train", *serve, labels, serve, 1)
    yield Told(file, "train", "HorizontalPodAutoscaler", f"h{number}", {}, serve, 4)
    for kind, selector in (("PodDisruptionBudget", _selector(number)), ("Service", labels)):
        name = f"{kind}-{number}"
        yield Told(file, "train", kind, name, selector, (kind, name), None)


def _asked(count: int, *, is_one_file: bool) -> Callable[[], object]:
    files = defaultdict[str, list[Told]](list)
    for number in range(count):
        file = "all.yaml" if is_one_file else f"{number}.yaml"
        files[file] += _told(number, file)

    def ask() -> None:
        index = ToldIndex(chain.from_iterable(files.values()))
        for file, own in files.items():
            siblings = index.beside(file, own)("train")
            for one in (each for each in own if each.kind == "Deployment"):
                number = one.name.removeprefix("d")
                assert [most for _, most in siblings.autoscalers(*one.target)] == [4]
                assert siblings.kept(_selector(int(number))) == [one]
                assert siblings.budgets_beside(f"PodDisruptionBudget-{number}", [one]) == []
                assert siblings.is_served(one.labels)
            content = " ".join(["train", *(each.name for each in own)]).encode()
            assert index.concerning(LintSource(file, content), None)

    return ask


@pytest.mark.parametrize("is_one_file", [True, False])
def test_twice_as_many_objects_are_twice_the_work(*, is_one_file: bool) -> None:
    assert is_linear(partial(_asked, is_one_file=is_one_file), 60)


def _concerning(file: LintSource, *others: LintSource) -> str:
    return ToldIndex(told_beside([file, *others], None)).concerning(file, None)


def test_a_file_is_concerned_only_by_what_is_about_its_workloads() -> None:
    serve, other = _source("serve.yaml", SERVE), _source("other.yaml", SERVE.replace("serve", "x"))
    four, eight = (_source("up.yaml", SCALER, most=most) for most in (4, 8))
    assert _concerning(serve, four) != _concerning(serve, eight)
    assert _concerning(other, four) == _concerning(other, eight) == "[]"


def test_the_file_of_a_budget_is_concerned_by_what_makes_its_pods_or_keeps_them() -> None:
    budget = _source("budget.yaml", BUDGET)
    serve, other = (_source("serve.yaml", each) for each in (SERVE, SERVE.replace("1", "2")))
    assert _concerning(budget, serve) != _concerning(budget, other)
    scaled = [serve, _source("up.yaml", SCALER)]
    assert _concerning(budget, serve) != _concerning(budget, *scaled)
    second = _source("second.yaml", BUDGET.replace("keep", "also"))
    assert _concerning(budget, serve) != _concerning(budget, serve, second)


def test_the_file_of_a_wrapped_budget_is_concerned_by_everything() -> None:
    wrapped = _source("wrapped.yaml", WRAPPED)
    four, eight = (_source("up.yaml", SCALER, most=most) for most in (4, 8))
    assert _concerning(wrapped, four) != _concerning(wrapped, eight)


def test_what_was_read_of_a_content_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [_source("up.yaml", SCALER), _source("serve.yaml", SERVE)]
    found = told_beside(sources, None, CacheStore(tmp_path))
    monkeypatch.delattr("gpuplane.lint.told_beside.read_manifests")
    assert told_beside(sources, None, CacheStore(tmp_path)) == found
    (moved, *_) = told_beside([_source("moved.yaml", SCALER)], "train", CacheStore(tmp_path))
    assert (moved.file, moved.namespace) == ("moved.yaml", "train")
