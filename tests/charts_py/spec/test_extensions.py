from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: add, path: /data}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0]: "add" without "value"; '
                "allowed: op, path, value"
            ),
        ),
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: remove, path: /data, value: 1}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0]: "remove" with "value"; '
                "allowed: op, path"
            ),
        ),
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: copy, path: /data}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0]: "copy" without "from"; '
                "allowed: op, path, from"
            ),
        ),
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: move, path: /data, from: /a, value: 1}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0]: "move" with "value"; '
                "allowed: op, path, from"
            ),
        ),
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: ad, path: /data, value: 1}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0].op: unknown "ad"; allowed: '
                "add, remove, replace, move, copy, test; nearest: add"
            ),
        ),
    ],
)
def test_an_operation_has_what_it_needs_and_nothing_else(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: remove, path: data.key}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0].path: "data.key" has the '
                "wrong form; allowed: text such as /spec/template/spec/replicas, matching "
                "^(/([^~/]|~[01])*)*$"
            ),
        ),
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: remove, path: /data/a~2}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0].path: "/data/a~2" has the '
                "wrong form; allowed: text such as /spec/template/spec/replicas, matching "
                "^(/([^~/]|~[01])*)*$"
            ),
        ),
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: copy, path: /a, from: b}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0].from: "b" has the wrong '
                "form; allowed: text such as /spec/template/spec/replicas, matching "
                "^(/([^~/]|~[01])*)*$"
            ),
        ),
    ],
)
def test_a_path_is_a_json_pointer(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            ('extensions:\n  patches:\n    - kind: ""\n      operations: []\npolicies:\n'),
            (
                "sample.yaml:66: extensions.patches[0].kind: empty; allowed: text of at least 1 "
                "character\n"
                "sample.yaml:66: extensions.patches[0].name: missing; allowed: text of at least "
                "1 character\n"
                "sample.yaml:67: extensions.patches[0].operations: empty; allowed: a list of at "
                "least 1 item"
            ),
        ),
    ],
)
def test_a_patch_names_its_objects_and_changes_them(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            (
                "extensions:\n"
                "  patches:\n"
                "    - kind: ConfigMap\n"
                "      name: a\n"
                "      operations:\n"
                "        - {op: add, path: /data}\n"
                "        - {op: remove}\n"
                "policies:\n"
            ),
            (
                'sample.yaml:69: extensions.patches[0].operations[0]: "add" without "value"; '
                "allowed: op, path, value\n"
                "sample.yaml:70: extensions.patches[0].operations[1].path: missing; allowed: "
                "text such as /spec/template/spec/replicas, matching ^(/([^~/]|~[01])*)*$"
            ),
        ),
    ],
)
def test_every_wrong_operation_is_a_fault(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            "extensions: {constructs: [extra_charts]}\npolicies:\n",
            (
                'sample.yaml:64: extensions.constructs[0]: "extra_charts" has the wrong form; '
                "allowed: text such as extra_charts:build, matching "
                "^[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_]*$"
            ),
        ),
    ],
)
def test_a_construct_is_a_module_and_a_function(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        (
            "eks",
            "policies:\n",
            "extensions: {manifests: /etc}\npolicies:\n",
            (
                'sample.yaml:64: extensions.manifests: "/etc" has the wrong form; allowed: text '
                "such as training.manifests, matching ^[^/]"
            ),
        ),
    ],
)
def test_manifests_are_beside_the_cluster_file(
    faults_after: Callable[..., str], name: str, old: str, new: str, fault: str
) -> None:
    assert faults_after(name, (old, new)) == fault
