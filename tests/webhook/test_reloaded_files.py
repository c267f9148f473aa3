import asyncio
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
import structlog
import trustme
from msgspec.structs import replace

from policies.rule_name import Mode
from policies.settings_json import settings_digest, write_settings
from tests.webhook.pods import REVIEW, SETTINGS, gpu_pod, request_of
from tests.webhook.running_webhook import (
    PATIENCE,
    RunningWebhook,
    exchange,
    running_webhook,
    write_certificate,
)
from webhook.metrics import Metrics
from webhook.reloaded_files import keep_reloaded

LENIENT = replace(SETTINGS, mode=Mode.AUDIT)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningWebhook]:
    folder = tmp_path_factory.mktemp("reloaded")
    with running_webhook(folder, SETTINGS, drain_seconds=0) as running:
        yield running


@contextmanager
def _under_load(running: RunningWebhook) -> Iterator[Counter[int]]:
    """Ask on an open connection and on new ones throughout; yields the statuses."""
    statuses: Counter[int] = Counter()
    done = threading.Event()

    def ask() -> None:
        with closing(running.connect()) as kept:
            while not done.is_set():
                statuses[exchange(kept, "/mutate", REVIEW).status] += 1
                statuses[running.ask("/mutate", REVIEW).status] += 1

    with ThreadPoolExecutor(max_workers=1) as pool:
        asking = pool.submit(ask)
        try:
            _eventually(lambda: bool(statuses) or asking.done())
            yield statuses
        finally:
            done.set()
        asking.result()


def _eventually(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _fixes(running: RunningWebhook) -> bool:
    return "patch" in running.review("/mutate", request_of(gpu_pod()))


def test_new_settings_hold_and_lose_no_request(running: RunningWebhook) -> None:
    with _under_load(running) as statuses:
        for settings, fixes in ((LENIENT, False), (SETTINGS, True)):
            running.write("settings.json", write_settings(settings))
            _eventually(lambda fixes=fixes: _fixes(running) is fixes)  # type: ignore[misc]
    assert set(statuses) == {200}
    for settings, value in ((SETTINGS, 1), (LENIENT, 0)):
        digest = settings_digest(settings)
        assert running.metric(f'settings_info{{cluster="test",digest="{digest}"}}') == value


def test_of_broken_settings_the_last_good_ones_are_kept(running: RunningWebhook) -> None:
    before = running.metric('reload_failures_total{what="settings"}')
    running.write("settings.json", '{"version": 1, "clutser": "test"}')
    _eventually(lambda: running.metric('reload_failing{what="settings"}') == 1)
    assert running.metric('reload_failures_total{what="settings"}') > before
    assert _fixes(running)
    logged = running.log_until("the last good version is kept")
    assert logged["what"] == "settings"
    newer = f"this webhook is gpuplane {version('gpuplane')}: if a newer one wrote the settings, "
    said = f"settings.json: clutser: unknown; nearest: cluster; {newer}update its image first"
    assert logged["problem"].endswith(said)
    running.write("settings.json", write_settings(SETTINGS))
    _eventually(lambda: running.metric('reload_failing{what="settings"}') == 0)


@dataclass
class Crashing:
    """Settings of which the code that reads them crashes."""

    files: tuple[Path, ...]
    name: str = "settings"
    reloads: int = 0

    def reload(self) -> None:
        self.reloads += 1
        raise RuntimeError("secret")


def test_code_that_crashes_on_a_file_reads_the_next_one(tmp_path: Path) -> None:
    crashing, metrics = Crashing((tmp_path / "settings.json",)), Metrics()
    log = structlog.testing.CapturingLogger()

    async def reload_twice() -> None:
        task = asyncio.create_task(keep_reloaded((crashing,), metrics, log))
        async with asyncio.timeout(PATIENCE):
            while crashing.reloads < 2:
                crashing.files[0].write_text(str(crashing.reloads))
                await asyncio.sleep(0.05)
        task.cancel()

    asyncio.run(reload_twice())
    call = log.calls[0]
    assert (call.method_name, call.args) == ("error", ("the last good version is kept",))
    assert (call.kwargs["what"], call.kwargs["exception"]) == ("settings", "RuntimeError")
    assert "secret" not in str(log.calls)


def test_a_settings_folder_that_is_swapped_as_the_kubelet_does_is_seen(tmp_path: Path) -> None:
    mounted = tmp_path / "mounted"
    mounted.mkdir()
    for name, settings in (("one", SETTINGS), ("two", LENIENT)):
        (mounted / name).mkdir()
        (mounted / name / "settings.json").write_text(write_settings(settings))
    (mounted / "..data").symlink_to("one")
    (mounted / "settings.json").symlink_to("..data/settings.json")
    with running_webhook(
        tmp_path, SETTINGS, settings=mounted / "settings.json", drain_seconds=0
    ) as running:
        assert _fixes(running)
        (mounted / "..new").symlink_to("two")
        (mounted / "..new").replace(mounted / "..data")
        _eventually(lambda: not _fixes(running))


def test_a_new_certificate_is_shown_and_loses_no_request(running: RunningWebhook) -> None:
    old, new = running.authority, trustme.CA()
    with _trusting_both(running, old, new), _under_load(running) as statuses:
        write_certificate(running.folder, new)
        _eventually(lambda: _is_shown(running, new))
    running.authority = new
    assert set(statuses) == {200}
    assert running.metric("certificate_expiry_timestamp_seconds") > time.time()


def test_of_a_broken_certificate_the_last_good_one_is_kept(running: RunningWebhook) -> None:
    key = (running.folder / "tls.key").read_bytes()
    other = trustme.CA().issue_cert("127.0.0.1").private_key_pem.bytes()
    for broken in (other, b"", key[: len(key) // 2]):
        running.write("tls.key", broken)
        _eventually(lambda: running.metric('reload_failing{what="certificate"}') == 1)
        assert _fixes(running)
        assert running.log_until("the last good version is kept")["what"] == "certificate"
        running.write("tls.key", key)
        _eventually(lambda: running.metric('reload_failing{what="certificate"}') == 0)


@contextmanager
def _trusting_both(running: RunningWebhook, old: trustme.CA, new: trustme.CA) -> Iterator[None]:
    context = ssl.create_default_context()
    for authority in (old, new):
        authority.configure_trust(context)
    running.trusted = context
    try:
        yield
    finally:
        running.trusted = None


def _is_shown(running: RunningWebhook, authority: trustme.CA) -> bool:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    try:
        return running.ask("/livez", tls=context).status == 200
    except ssl.SSLCertVerificationError:
        return False
