import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import charts_py.components
from charts_py.cluster_file.field_schema import schema_at
from charts_py.components.definition import Definition
from charts_py.components.registry import DEFINITIONS, plan_components
from charts_py.objects.document import Document
from charts_py.platform.platform import Platform
from charts_py.platform.policy_settings import policy_settings
from charts_py.rendering.rendering import Rendering
from tests.charts_py.components.test_planned import ROWS
from upstream.kubeconform import run_kubeconform

NAMES = [definition.name for definition in DEFINITIONS]
COMPONENTS = Path(charts_py.components.__file__).parent
_DEFINED = re.compile(r"^(\w+) = (?:Definition|lasting_namespace|rules_alone)\(", re.MULTILINE)


def _defined() -> Iterator[tuple[str, Path]]:
    """Yield the name of each definition that some module states, with its file."""
    for found in pkgutil.walk_packages([str(COMPONENTS)], "charts_py.components."):
        module = importlib.import_module(found.name)
        file = Path(str(module.__file__))
        for constant in _DEFINED.findall(file.read_text(encoding="utf-8")):
            yield vars(module)[constant].name, file.relative_to(COMPONENTS)


def test_every_definition_is_listed_once() -> None:
    assert sorted(name for name, _ in _defined()) == sorted(NAMES)


def test_every_component_has_its_tests() -> None:
    """They stand beside each other where its module has a folder, or are rows of `planned`."""
    tests = Path(__file__).parent
    planned = {row["of"] for _, row in ROWS}
    untested = [
        name
        for name, file in _defined()
        if name not in planned
        and not [
            *(tests / file.parent).glob("test_*.py" if file.parent.name else f"test_{file.name}")
        ]
    ]
    assert untested == []


def test_every_component_says_what_the_reference_tells_of_it() -> None:
    assert [d.name for d in DEFINITIONS if not d.description or not d.appears] == []
    fields = [(d.name, field) for d in DEFINITIONS for field in d.steered_by]
    assert [each for each in fields if schema_at(tuple(each[1].split("."))) is None] == []
    needed = {d.name: set(d.synced_after) for d in DEFINITIONS}
    assert [name for name, found in needed.items() if not found <= {*NAMES} - {name}] == []


def test_a_component_is_synced_after_what_it_depends_on(platforms: Mapping[str, Platform]) -> None:
    for name, platform in platforms.items():
        waves = {d.name: [component.wave for component in d.plan(platform)] for d in DEFINITIONS}
        late = [
            (name, definition.name, other)
            for definition in DEFINITIONS
            for other in definition.synced_after
            if waves[other] and waves[definition.name]
            if max(waves[other]) >= min(waves[definition.name])
        ]
        assert late == []


def test_what_is_wanted_does_not_depend_on_what_was_asked_before(
    platforms: Mapping[str, Platform],
) -> None:
    for name, platform in platforms.items():
        asked, fresh = (replace(platform) for _ in range(2))
        assert asked.contribution is asked.contribution
        wanted = [each.name for each in DEFINITIONS if each.is_wanted(asked)]
        unasked = [each.name for each in reversed(DEFINITIONS) if each.is_wanted(fresh)]
        assert (name, wanted) == (name, unasked[::-1])


def test_a_component_is_wanted_somewhere_and_elsewhere_not_unless_it_is_always(
    platforms: Mapping[str, Platform],
) -> None:
    wanted = {d.name: {d.is_wanted(each) for each in platforms.values()} for d in DEFINITIONS}
    assert wanted == {name: {True} if name in ALWAYS else {True, False} for name in NAMES}


ALWAYS = ("priority-classes", "node-pools")


def test_components_stand_in_the_order_of_their_waves(platforms: Mapping[str, Platform]) -> None:
    stated = [definition.wave for definition in DEFINITIONS]
    assert stated == sorted(stated)
    for platform in platforms.values():
        waves = [component.wave for component in plan_components(platform)]
        assert (platform.name, waves) == (platform.name, sorted(waves))


def test_no_two_components_have_one_name(platforms: Mapping[str, Platform]) -> None:
    for platform in platforms.values():
        names = [c.name for definition in DEFINITIONS for c in definition.plan(platform)]
        assert (platform.name, len(names)) == (platform.name, len(set(names)))


def test_a_component_that_is_not_wanted_leaves_nothing(
    platforms: Mapping[str, Platform], renderings: Mapping[str, Rendering]
) -> None:
    for name, platform in platforms.items():
        wanted = [each for each in DEFINITIONS if each.is_wanted(platform)]
        left = [
            (name, definition.name, trace)
            for definition in DEFINITIONS
            if not definition.is_wanted(platform)
            for trace in _traces(definition, wanted, renderings[name])
        ]
        assert left == []


def test_every_object_is_valid(
    platforms: Mapping[str, Platform], renderings: Mapping[str, Rendering], tmp_path: Path
) -> None:
    objects: dict[str, int] = {}
    for name, rendering in renderings.items():
        folder = tmp_path / platforms[name].cluster.kubernetes.value
        folder.mkdir(exist_ok=True)
        documents = [document for each in rendering.folders.values() for document in each]
        # Every document of JSON is one of YAML, and written in a tenth of the time.
        sources = "\n---\n".join(map(json.dumps, documents))
        (folder / f"{name}.yaml").write_text(sources, encoding="utf-8")
        objects[folder.name] = objects.get(folder.name, 0) + len(documents)
    for version, count in objects.items():
        report = run_kubeconform([tmp_path / version], version)
        assert (version, report.failures) == (version, ())
        assert len(report.results) == count


def _traces(
    definition: Definition, others: list[Definition], rendering: Rendering
) -> Iterator[str]:
    """Yield what a rendering has of a component: its folder, Application, namespaces or chart.

    Others may install charts of the same repository.
    """
    used = {chart.repository for other in others for chart in other.charts}
    applications = [document["metadata"]["name"] for document in rendering.folders["argocd"]]
    project = rendering.project["spec"]
    own = {namespace.name for namespace in definition.added.namespaces}
    if definition.name in rendering.folders:
        yield "folder"
    if f"{rendering.cluster}-{definition.name}" in applications:
        yield "Application"
    if own & {d["metadata"]["name"] for d in _of_kind(rendering, "Namespace")}:
        yield "Namespace"
    if own & {destination["namespace"] for destination in project["destinations"]}:
        yield "destination"
    repositories = {chart.repository for chart in definition.charts} - used
    if repositories & {*project["sourceRepos"]}:
        yield "repository"


def _of_kind(rendering: Rendering, kind: str) -> Iterator[Document]:
    for documents in rendering.folders.values():
        yield from (document for document in documents if document["kind"] == kind)


def test_a_namespace_of_a_component_is_reserved_and_where_it_is_wanted_exempt_from_admission(
    platforms: Mapping[str, Platform],
) -> None:
    own = {d.name: {each.name for each in d.added.namespaces} for d in DEFINITIONS}
    for name, platform in platforms.items():
        exempt = set(policy_settings(platform).exempt_namespaces)
        wanted = {definition.name for definition in DEFINITIONS if definition.is_wanted(platform)}
        assert (name, set().union(*own.values()) - platform.reserved_namespaces) == (name, set())
        assert (name, {each: own[each] & exempt for each in own}) == (
            name,
            {each: own[each] if each in wanted else set() for each in own},
        )


def test_definitions_are_read_without_starting_node() -> None:
    program = "import sys, charts_py.load; sys.exit('jsii' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_where_nobody_collects_nothing_is_scraped_or_alerted_on(
    platforms: Mapping[str, Platform],
) -> None:
    collected = {name for name, each in platforms.items() if each.monitoring.prometheus}
    assert collected == {name for name, each in platforms.items() if each.watched.rules}
    assert {*platforms} - collected
