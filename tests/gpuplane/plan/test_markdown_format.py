"""A plan as a comment on a pull request."""

import re
from dataclasses import replace

import pytest

from charts_py.objects.document import ObjectKey
from charts_py.objects.fields import Absent, FieldChange
from gpuplane.plan.effect import Change, Effect, PlannedObject, Verdict
from gpuplane.plan.markdown_format import MAX_CHARACTERS, to_markdown
from gpuplane.plan.plan import ClusterPlan, Plan
from gpuplane.versions.comparison import ChangedObject, PlacedObject, Subject
from tests.gpuplane.versions.bases import MAIN, base_at


def _planned(name: str, verdict: Verdict, change: Change = Change.CHANGED) -> PlannedObject:
    key = ObjectKey("", "ConfigMap", "lab", name)
    reason = f"Something happens to {name}, and it takes some words to say what."
    effect = Effect(verdict, "data", reason, "https://example.com/source")
    return PlannedObject(PlacedObject("monitoring", key), change, (effect,))


def _plan(*objects: PlannedObject) -> Plan:
    cluster = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", objects)
    return Plan(MAIN, (cluster,), ("serving",))


def test_the_sentence_comes_first_then_removals_then_the_rest_by_verdict() -> None:
    removed = _planned("gone", Verdict.DANGEROUS, Change.REMOVED)
    comment = to_markdown(
        _plan(removed, _planned("rolled", Verdict.ROLLING), _planned("kept", Verdict.SAFE))
    )
    titles = re.findall(r"^(?:#+ .*|\*\*.*\*\*|<details><summary>.*)$", comment, re.MULTILINE)
    assert titles == [
        "### gpuplane plan: dangerous",
        (
            "**Dangerous: data or many objects at once can be lost (ConfigMap lab/gone); no GPU is "
            "out; what it costs is not known.**"
        ),
        "#### lab, what Argo CD syncs: 1.0.0 -> 1.1.0",
        "**Deletions and prunes**",
        "<details><summary>monitoring: rolling, 1 object</summary>",
        "<details><summary>Safe: 1 changed object</summary>",
    ]
    assert comment.endswith("Unchanged: serving.\n")


def test_a_comment_is_never_too_long_and_counts_and_names_what_is_missing() -> None:
    objects = tuple(_planned(f"object-{number}", Verdict.ROLLING) for number in range(1000))
    comment = to_markdown(_plan(*objects))
    assert len(comment) <= MAX_CHARACTERS
    shown = len(re.findall(r"^\| rolling \|", comment, re.MULTILINE))
    (left,) = re.findall(r"\*\*([0-9,]+) more are not shown", comment)
    assert shown + int(left) == len(objects)
    assert "object-999" not in comment
    assert re.search(r"ConfigMap lab/object-\d+, .* and \d+ more\.", comment)


def test_what_an_edit_does_that_is_not_rendered_is_not_known() -> None:
    comment = to_markdown(Plan(MAIN, (), ("lab", "other"), edited=("lab",)))
    assert comment.splitlines()[0] == "### gpuplane plan: not known"
    assert comment.splitlines()[-1] == "Unchanged: other."


def test_the_same_plan_gives_the_same_comment() -> None:
    objects = [_planned(name, Verdict.SAFE) for name in ("a", "b")]
    assert to_markdown(_plan(*objects)) == to_markdown(_plan(*objects))


def test_what_refuses_its_change_is_deleted_first() -> None:
    comment = to_markdown(_plan(_planned("locked", Verdict.IMMUTABLE)))
    assert "- What is deleted is created again by the next sync.\n" in comment
    assert "```sh\nkubectl delete ConfigMap locked --namespace lab\n```" in comment


@pytest.mark.parametrize(
    ("kind", "name", "namespace", "command"),
    [
        ("Job", "a; id", "$(id)", "kubectl delete Job.batch 'a; id' --namespace '$(id)'"),
        ("Job`id`", "a", "", "kubectl delete 'Job`id`.batch' a"),
        ("Job", "--all", "lab", "kubectl delete --namespace lab -- Job.batch --all"),
    ],
)
def test_names_in_commands_are_arguments_to_a_shell(
    kind: str, name: str, namespace: str, command: str
) -> None:
    effect = Effect(Verdict.IMMUTABLE, "spec", "It is refused.", "https://example.com/source")
    placed = PlacedObject("monitoring", ObjectKey("batch", kind, namespace, name))
    comment = to_markdown(_plan(PlannedObject(placed, Change.CHANGED, (effect,))))
    assert re.findall("^kubectl .*", comment, re.MULTILINE) == [command]


def test_names_of_clusters_and_references_in_commands_are_arguments_to_a_shell() -> None:
    removed = _planned("gone", Verdict.DANGEROUS, Change.REMOVED)
    cluster = ClusterPlan("$(id)", Subject.LIVE, "1.0.0", "1.1.0", (removed,))
    comment = to_markdown(Plan(base_at("HEAD~1;id"), (cluster,), ()))
    assert re.findall("^gpuplane .*", comment, re.MULTILINE) == [
        "gpuplane diff '$(id)' --base 'HEAD~1;id'"
    ]


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("container.cnrm.cloud.google.com", "ContainerNodePool"),
        ("containerservice.azure.com", "ManagedClustersAgentPool"),
        ("karpenter.sh", "NodePool"),
        ("apiextensions.k8s.io", "CustomResourceDefinition"),
        ("", "PersistentVolumeClaim"),
    ],
)
def test_no_command_deletes_what_nodes_or_data_go_with(group: str, kind: str) -> None:
    effect = Effect(Verdict.IMMUTABLE, "spec", "It is refused.", "https://example.com/source")
    placed = PlacedObject("node-pools", ObjectKey(group, kind, "", "a100"))
    comment = to_markdown(_plan(PlannedObject(placed, Change.CHANGED, (effect,))))
    assert "kubectl delete" not in comment
    assert "created again" not in comment


_LONG = "a" * 300


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (64, 32, ["- spec.of: 64", "+ spec.of: 32"]),
        (Absent.ABSENT, 32, ["+ spec.of: 32"]),
        (
            f"{_LONG}1{_LONG}",
            f"{_LONG}2{_LONG}",
            [
                f'- spec.of: "... {"a" * 30}1{"a" * 89} ..."',
                f'+ spec.of: "... {"a" * 30}2{"a" * 89} ..."',
            ],
        ),
        (
            "",
            "\n".join("b" for _ in range(60)) + "\n",
            ["  spec.of:", "@@ -0,0 +1,60 @@", *(["+b"] * 38), "  22 more lines"],
        ),
    ],
    ids=["values", "a new field", "long text", "many lines"],
)
def test_old_and_new_values_stand_side_by_side(old: object, new: object, lines: list[str]) -> None:
    placed = PlacedObject("team", ObjectKey("", "ResourceQuota", "research", "quota"))
    values = (ChangedObject(placed, (FieldChange("spec.of", old, new),)),)
    plan = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0", values=values)
    _, found = to_markdown(Plan(MAIN, (plan,), ())).split("<summary>Values of team: 1 object")
    assert found.split("```")[1].splitlines() == [
        "diff",
        "@@ ResourceQuota research/quota @@",
        *lines,
    ]


@pytest.mark.parametrize(("lines", "is_folded"), [(3, False), (40, True)])
def test_what_was_edited_comes_first_and_is_folded_where_it_is_long(
    lines: int, is_folded: bool
) -> None:
    diff = "\n".join(f"+line {number}" for number in range(lines))
    cluster = ClusterPlan("lab", Subject.LIVE, "1.0.0", "1.1.0")
    comment = to_markdown(Plan(MAIN, (cluster,), (), edits={"clusters/lab.yaml": diff}))
    before, after = comment.split(f"```diff\n{diff}\n```")
    assert before.endswith("</summary>\n\n") is is_folded
    assert "<code>clusters/lab.yaml</code>" in before
    assert "#### lab" in after


def test_no_part_stands_below_the_heading_of_another_cluster() -> None:
    plan = Plan(MAIN, tuple(_cluster_of(f"c{number}") for number in range(4)), ())
    for limit in range(3_000, 6_000, 50):
        comment = to_markdown(plan, limit)
        assert len(comment) <= limit
        shown, _, _ = comment.partition("more are not shown")
        for section in shown.split("#### ")[1:]:
            name, *_ = section.split(",")
            assert set(re.findall(r"of (c\d) only", section)) <= {name}


def _cluster_of(name: str) -> ClusterPlan:
    effect = Effect(Verdict.ROLLING, "", f"It is of {name} only.", "")
    placed = PlacedObject("team", ObjectKey("", "Namespace", "", name))
    objects = (PlannedObject(placed, Change.CHANGED, (effect,)),)
    return ClusterPlan(
        name, Subject.LIVE, "1.0.0", "1.1.0", objects, not_known=(f"A long reason. {'b' * 400}",)
    )


def test_clusters_that_change_alike_are_told_once() -> None:
    names = [f"c{number}" for number in range(40)]
    clusters = tuple(_cluster_of(name) for name in names)
    edits = {f"clusters/{name}.yaml": f"+gpus: 8 # of {name}" for name in names}
    lines = to_markdown(Plan(MAIN, (*clusters, _other_of("d0")), (), edits=edits)).splitlines()
    assert [line for line in lines if line.startswith("#### ")] == [
        "#### c0, what Argo CD syncs: 1.0.0 -> 1.1.0",
        "#### d0, what Argo CD syncs: 1.0.0 -> 1.1.0",
    ]
    assert "The same holds for 39 more clusters: c1, c2 and 37 more." in lines
    assert ["<details><summary>All 40</summary>", "", ", ".join(names)] == lines[
        (folded := lines.index("<details><summary>All 40</summary>")) : folded + 3
    ]
    assert "<code>clusters/c0.yaml, clusters/c1.yaml and 38 more</code>" in lines
    assert [line for line in lines if line.startswith("+")] == ["+gpus: 8 # of c0"]
    assert len(lines) < 120


def _other_of(name: str) -> ClusterPlan:
    return replace(_cluster_of(name), not_known=("Another reason.",))
