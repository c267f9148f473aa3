from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace

import pytest

from policies.mode import Mode
from policies.rule_name import RuleName
from policies.settings import RuleException, Settings
from policies.settings_json import (
    VERSION,
    SettingsError,
    documented_settings,
    read_settings,
    settings_digest,
    write_settings,
)


def test_written_settings_read_back_as_the_same(settings: Settings) -> None:
    exception = RuleException(
        RuleName.HOST_IPC, "plain", "old code", "a@example.com", dt.date(2027, 1, 1)
    )
    full = replace(settings, exceptions=(exception,), modes={RuleName.IMAGE_TAG: Mode.WARN})
    assert read_settings(write_settings(full)) == full


def test_what_is_left_out_has_its_default() -> None:
    assert read_settings('{"version": 1, "cluster": "c"}') == Settings("c")


def test_the_digest_tells_settings_apart(settings: Settings) -> None:
    other = replace(settings, mode=Mode.AUDIT)
    assert settings_digest(settings) != settings_digest(other)
    assert settings_digest(settings) == settings_digest(read_settings(write_settings(settings)))


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
            {"namespaces": {"a": {"team": "t", "purpose": "batch", "spot": 1}}},
            "namespaces.a.spot: true or false is expected",
        ),
        ({"registries": "ghcr.io"}, "registries: an array is expected"),
    ],
)
def test_a_fault_is_named_by_its_path(changes: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings(json.dumps({"version": VERSION, "cluster": "c"} | changes))
    assert str(caught.value) == message


def test_an_exception_needs_a_date() -> None:
    exception = {"rule": "host-ipc", "namespace": "a", "reason": "r", "owner": "o", "expires": "x"}
    document = {"version": VERSION, "cluster": "c", "exceptions": [exception]}
    with pytest.raises(SettingsError, match=r'exceptions\[0\]\.expires: "x" is no date'):
        read_settings(json.dumps(document))


@pytest.mark.parametrize("source", ["", "[]", "{", "\x00", b"\xff\xfe", "[" * 100_000])
def test_what_is_no_object_holds_no_settings(source: str | bytes) -> None:
    with pytest.raises(SettingsError):
        read_settings(source)


def test_every_setting_has_a_path() -> None:
    paths = list(documented_settings())
    assert len(paths) == len(set(paths))
    assert {"cluster", "pools.taints.key", "namespaces.defaultPriority"} <= set(paths)
