from upstream.object_frame import framed, load_metadata


def test_a_kind_requires_its_frame_and_refuses_status() -> None:
    body = {
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string"},
            "spec": {"type": "object"},
            "status": {"type": "object"},
        },
        "required": ["spec", "status"],
        "additionalProperties": False,
    }
    assert framed("example.com/v1", "Widget", body, {"type": "object"}) == {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "properties": {
            "apiVersion": {"type": "string", "enum": ["example.com/v1"]},
            "kind": {"type": "string", "enum": ["Widget"]},
            "metadata": {"type": "object"},
            "spec": {"type": "object"},
        },
        "required": ["apiVersion", "kind", "metadata", "spec"],
        "additionalProperties": False,
    }


def test_a_kind_that_names_no_field_has_its_frame() -> None:
    schema = framed("example.com/v1", "Widget", {"type": "object"}, {"type": "object"})
    assert sorted(schema["properties"]) == ["apiVersion", "kind", "metadata"]


def test_metadata_requires_a_name_and_refuses_what_the_server_writes() -> None:
    metadata = load_metadata()
    assert (metadata["required"], metadata["additionalProperties"]) == (["name"], False)
    assert sorted(metadata["properties"]) == [
        "annotations",
        "creationTimestamp",
        "finalizers",
        "generateName",
        "labels",
        "name",
        "namespace",
        "ownerReferences",
    ]
