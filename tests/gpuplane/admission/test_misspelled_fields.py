from typing import Any

import pytest

from gpuplane.admission.misspelled_fields import MisspelledField, misspelled_fields

TEMPLATE = "/spec/replicatedJobs/*/template/spec"


def _job_set(*items: Any) -> Any:
    return {"spec": {"replicatedJobs": list(items)}}


@pytest.mark.parametrize(
    ("document", "found"),
    [
        (_job_set({"template": {"spec": {}}}), []),
        ({}, []),
        ([], []),
        (_job_set("template", None, ["tempalte"]), []),
        ({"sepc": {}}, [("", "sepc", "spec")]),
        ({"Spec": {}, "specs": {}}, [("", "Spec", "spec"), ("", "specs", "spec")]),
        ({"spec": {}, "specs": {}}, []),
        ({"special": {}}, []),
        ({"spec": {"replicatedjobs": []}}, [("/spec", "replicatedjobs", "replicatedJobs")]),
        (
            _job_set({"template": {}}, {"templates": {}}, {"template": {"spce": {}}}),
            [
                ("/spec/replicatedJobs/1", "templates", "template"),
                ("/spec/replicatedJobs/2/template", "spce", "spec"),
            ],
        ),
    ],
)
def test_fields_that_lead_nowhere_by_a_typo_are_found(
    document: Any, found: list[tuple[str, str, str]]
) -> None:
    expected = [MisspelledField(*each) for each in found]
    assert [*misspelled_fields(document, TEMPLATE)] == expected
