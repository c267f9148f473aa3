from __future__ import annotations

import datetime as dt
import json

import pytest
from msgspec.structs import replace

from policies.mode import Mode
from policies.rule_name import RuleName
from policies.settings import NamespaceSettings, RuleException, Settings
from policies.settings_error import SettingsError
from policies.settings_json import read_settings, settings_digest, write_settings
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
