import datetime as dt
import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import fields, replace

from policies.rule_name import Mode, RuleName
from policies.settings import NamespaceSettings, RuleException, Settings
from policies.settings_json import (
    VERSION,
    SettingsError,
    read_settings,
    settings_digest,
    write_settings,
)
from tests.policies.documented_settings import documented_settings

UNWRITABLE = (
    '{"version": 1, "cluster": "\\ud800"}',
    '{"version": 1, "cluster": "c", "\\udc00": 1}',
    '{"version": 1, "cluster": "c", "sharedMemory": {"fraction": NaN}}',
    '{"version": 1, "cluster": "c", "sharedMemory": {"fraction": Infinity}}',
)
"""What Python's parser of JSON takes, and no other does."""


def test_written_settings_read_back_as_the_same(settings: Settings) -> None:
    exception = RuleException(
        RuleName.HOST_IPC, "plain", "old code", "a@example.com", dt.date(2027, 1, 1)
    )
    full = replace(
        settings,
        exceptions=(exception,),
        modes={RuleName.IMAGE_TAG: Mode.WARN},
        max_grace_period_seconds=120,
    )
    assert read_settings(write_settings(full)) == full


def test_they_are_written_with_a_line_for_each_list_of_names() -> None:
    pools = tuple(f"pool-{number:02}" for number in range(99))
    settings = Settings("c", namespaces={"é": NamespaceSettings("t", "batch", pools=pools)})
    lines = write_settings(settings).splitlines()
    assert f'      "pools": {json.dumps(pools)},' in lines
    assert len(lines) < 50


def test_they_are_written_as_any_json_but_for_such_lists(settings: Settings) -> None:
    written = write_settings(settings)
    spread = json.dumps(json.loads(written), indent=2, sort_keys=True, ensure_ascii=False)
    assert "".join(written.split()) == "".join(spread.split())


def test_what_is_left_out_has_its_default() -> None:
    assert read_settings('{"version": 1, "cluster": "c"}') == Settings("c")


@pytest.mark.parametrize(
    ("pool", "labels"),
    [
        ({"architecture": "arm64"}, {"kubernetes.io/arch": "arm64"}),
        (
            {"architecture": "amd64", "labels": {"a": "b"}},
            {"a": "b", "kubernetes.io/arch": "amd64"},
        ),
        ({"labels": {"a": "b"}}, {"a": "b"}),
    ],
)
def test_the_architecture_that_older_versions_wrote_is_a_label(
    pool: dict[str, object], labels: dict[str, str]
) -> None:
    pool = {"name": "p", "vendor": "nvidia", "resources": [], "cpu": 1, "memory": 1, **pool}
    source = json.dumps({"version": 1, "cluster": "c", "pools": [pool]})
    assert [each.labels for each in read_settings(source).pools] == [labels]


def test_the_digest_tells_settings_apart(settings: Settings) -> None:
    other = replace(settings, mode=Mode.AUDIT)
    assert settings_digest(settings) != settings_digest(other)
    assert settings_digest(settings) == settings_digest(read_settings(write_settings(settings)))


@pytest.mark.parametrize("source", ["", "[]", "{", "\x00", b"\xff\xfe", "[" * 100_000, *UNWRITABLE])
def test_what_is_not_an_object_of_json_is_not_settings(source: str | bytes) -> None:
    with pytest.raises(SettingsError):
        read_settings(source)


def test_every_setting_has_a_path() -> None:
    paths = list(documented_settings())
    assert len(paths) == len(set(paths))
    assert {"cluster", "pools.taints.key", "namespaces.defaultPriority"} <= set(paths)


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


RELEASED = sorted(
    (Path(__file__).parent / "released_settings").glob("*.json"),
    key=lambda file: tuple(map(int, file.stem.split("."))),
)
"""A document of each release, with every member: a webhook reads what the release before wrote, and
the release before reads what is written now for a cluster that uses nothing new."""
LAST = RELEASED[-1].read_text(encoding="utf-8")


@pytest.mark.parametrize("file", RELEASED, ids=lambda file: file.stem)
def test_settings_of_a_release_can_be_read(file: Path) -> None:
    assert read_settings(file.read_bytes()).cluster == "training"


def test_what_the_last_release_does_not_know_is_not_written_for_a_cluster_without_it() -> None:
    assert write_settings(read_settings(LAST)) == LAST


def test_the_document_of_a_release_has_members_that_are_not_their_defaults() -> None:
    read = json.loads(LAST)
    default = json.loads(write_settings(read_settings('{"version": 1, "cluster": "c"}')))
    assert [name for name in read if read[name] == default.get(name)] == ["version"]


@pytest.mark.parametrize(
    ("changes", "is_unknown"),
    [
        ({"new": True}, True),
        ({"modes": {"new-rule": "off"}}, True),
        ({"mode": "new"}, True),
        ({"version": 2}, True),
        ({"cluster": 1}, False),
        ({"pools": [{}]}, False),
    ],
)
def test_what_a_newer_release_may_have_written_is_told_from_what_none_writes(
    changes: dict[str, object], is_unknown: bool
) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(json.dumps(json.loads(LAST) | changes))
    assert caught.value.is_unknown is is_unknown
