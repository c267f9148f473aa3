from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import fields

from policies.rule_name import RuleName
from policies.settings import Settings
from policies.settings_error import SettingsError
from policies.settings_json import VERSION, read_settings

NAMESPACE = {"team": "t", "purpose": "batch"}
POOL = {"name": "p", "vendor": "nvidia", "resources": [], "cpu": 1, "memory": 1}
EXCEPTION = {"rule": "host-ipc", "namespace": "a", "reason": "r", "owner": "o"}
RULE_NAMES = ", ".join(RuleName)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, f"version: 2 is unknown; allowed: {VERSION}"),
        ({"version": True}, f"version: true is unknown; allowed: {VERSION}"),
        ({"cluster": 1}, "cluster: a string is expected"),
        ({"registrys": []}, "registrys: unknown; nearest: registries"),
        (
            {"mode": "enforced"},
            'mode: "enforced" is unknown; allowed: off, audit, warn, enforce; nearest: enforce',
        ),
        ({"sharedMemory": {"cap": -1}}, "sharedMemory.cap: -1 is negative"),
        ({"sharedMemory": {"cap": 1.5}}, "sharedMemory.cap: a whole number is expected"),
        ({"pools": [{}]}, "pools[0].name: missing"),
        ({"namespaces": {"a": []}}, "namespaces.a: an object is expected"),
        (
            {"namespaces": {"a": NAMESPACE | {"spot": 1}}},
            "namespaces.a.spot: true or false is expected",
        ),
        ({"registries": "ghcr.io"}, "registries: an array is expected"),
        ({"runtimeClass": 1}, "runtimeClass: a string or null is expected"),
        (
            {"sharedMemory": {"fraction": 0}},
            "sharedMemory.fraction: 0 is out of bounds; allowed: > 0.0",
        ),
        (
            {"sharedMemory": {"fraction": 1.5}},
            "sharedMemory.fraction: 1.5 is out of bounds; allowed: <= 1.0",
        ),
        ({"sharedMemory": {"fraction": "1/2"}}, "sharedMemory.fraction: a number is expected"),
        (
            {"modes": {"host-ipc": "warn", "host-ipcs": "off"}},
            f'modes.host-ipcs: "host-ipcs" is unknown; allowed: {RULE_NAMES}; nearest: host-ipc',
        ),
        (
            {"modes": {"host-ipc": "warn", "image-tag": "it's at `$.a`"}},
            'modes.image-tag: "it\'s at `$.a`" is unknown; allowed: off, audit, warn, enforce',
        ),
        (
            {"namespaces": {"a": NAMESPACE, "b": NAMESPACE | {"labels": {"c": "d", "e.f": 1}}}},
            "namespaces.b.labels.e.f: a string is expected",
        ),
        (
            {"pools": [POOL, POOL | {"taints": [{"key": "a", "values": "b"}]}]},
            "pools[1].taints[0].values: unknown; nearest: value",
        ),
        ({"exceptions": [EXCEPTION | {"expires": 1}]}, "exceptions[0].expires: a date is expected"),
        (
            {"exceptions": [EXCEPTION | {"expires": "x"}]},
            'exceptions[0].expires: "x" is not a date such as 2026-12-31',
        ),
        ({"a - at `$.mode`": 1}, "a - at `$.mode`: unknown"),
    ],
)
def test_a_fault_is_named_by_its_path(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(json.dumps({"version": VERSION, "cluster": "c"} | changes))
    assert str(caught.value) == message


@given(st.sampled_from([field.encode_name for field in fields(Settings)]), VALUES, VALUES)
def test_whatever_a_setting_is_it_is_read_or_its_fault_named(
    name: str, value: object, member: object
) -> None:
    for stated in (value, [value, member], {"a": value, "b": member}):
        document = {"version": VERSION, "cluster": "c", name: stated}
        try:
            read_settings(json.dumps(document))
        except SettingsError as error:
            path = error.path
        else:
            path = name
        assert path.startswith(name)
