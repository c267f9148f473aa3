import pytest

from policies.operation import ALL, ENV, NOTHING, ROOT, Operation, Part, changed_part


def test_an_operation_is_formatted_as_in_rfc_6902() -> None:
    assert Operation("add", "/a", None).to_json() == {"op": "add", "path": "/a", "value": None}
    assert Operation("remove", "/a").to_json() == {"op": "remove", "path": "/a"}


FIRST = Part("resources", "/spec/initContainers/0")
LONG = "n" * 10_000


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/spec", ALL),
        ("/spec/containers", ALL),
        ("/spec/containers/0", ALL),
        ("/spec/containers/0/restartPolicy", ALL),
        ("/spec/hostIPC", ALL),
        ("/metadata", ROOT),
        ("/spec/tolerations", ROOT),
        ("/spec/tolerations/-", NOTHING),
        ("/metadata/labels/app", NOTHING),
        (f"/metadata/labels/{LONG}", NOTHING),
        ("/spec/priorityClassName", NOTHING),
        ("/spec/containers/12/volumeMounts/-", NOTHING),
        ("/spec/containers/12/env/-", ENV),
        ("/spec/initContainers/0/resources", FIRST),
        ("/spec/initContainers/0/resources/limits/cpu", FIRST),
        (f"/spec/initContainers/0/resources/limits/{LONG}", FIRST),
    ],
)
def test_what_an_operation_changes_follows_from_its_path(path: str, part: Part) -> None:
    assert changed_part(path) == part
