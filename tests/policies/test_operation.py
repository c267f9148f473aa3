from policies.operation import Operation


def test_an_operation_is_formatted_as_in_rfc_6902() -> None:
    assert Operation("add", "/a", None).to_json() == {"op": "add", "path": "/a", "value": None}
    assert Operation("remove", "/a").to_json() == {"op": "remove", "path": "/a"}
