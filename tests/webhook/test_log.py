import io
import json
import logging
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from policies.document import Document
from policies.engine import Engine
from policies.rules import host_ipc, image_registry
from policies.settings import Settings
from tests.webhook.pods import SETTINGS, UID, body_of, gpu_pod, request_of
from webhook.log import ServerLogHandler, log_answer, make_log
from webhook.reviewer import Purpose, Reviewer

FILE = "tests/webhook/test_log.py"
BROKEN: Settings = structs.replace(SETTINGS, registries=(7,))
"""Settings that JSON cannot express, so that a rule crashes."""


@pytest.fixture(autouse=True)
def imported_from_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parents[2])])


def _crash(*_: object) -> Any:
    raise RuntimeError("secret")


def _crashed(function: str = "_crash") -> str:
    return f"{FILE}:{_crash.__code__.co_firstlineno + 1} in {function}"


def _logged(reviewer: Reviewer, purpose: Purpose = Purpose.VALIDATE) -> Document:
    """Return the record of a review of a GPU pod, without the time and the lines of our sources."""
    output = io.BytesIO()
    answer = reviewer.review(body_of(request_of(gpu_pod())), purpose)
    log_answer(make_log("error", output), "/validate", answer, reviewer.settings, 0.001)
    assert b"secret" not in output.getvalue()
    record: Document = json.loads(output.getvalue())
    assert record.pop("time")
    for failure in record["failures"].values():
        failure["frames"] = [
            re.sub(r"(policies/.*|webhook/reviewer\.py):\d+", r"\1", frame)
            for frame in failure["frames"]
        ]
    return record


def _record(failures: Document, **changes: object) -> Document:
    return {
        "path": "/validate",
        "uid": UID,
        "namespace": "training",
        "owner": "research",
        "decision": "allowed",
        "code": 200,
        "milliseconds": 1.0,
        "failures": failures,
        "event": "review",
        "level": "error",
        **changes,
    }


def test_a_rule_that_crashes_is_logged_with_its_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    reviewer = Reviewer(SETTINGS)
    engine = Engine(SETTINGS, (replace(host_ipc.RULE, evaluate=_crash),))
    monkeypatch.setattr(reviewer, "_judging", engine)
    frames = ["policies/engine.py in run", _crashed()]
    assert _logged(reviewer) == _record(
        {"host-ipc": {"error": "RuntimeError", "frames": frames}}, rules={"failed": ["host-ipc"]}
    )


def test_a_shipped_rule_that_crashes_is_logged_with_its_frames_compiled_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reviewer = Reviewer(SETTINGS)
    monkeypatch.setattr(reviewer, "_judging", Engine(BROKEN, (image_registry.RULE,)))
    record = _logged(reviewer)
    failure = record["failures"]["image-registry"]
    assert failure.pop("error") in ("AttributeError", "TypeError")  # compiled code checks types
    # Compiled code and later Pythons have no frames of comprehensions.
    failure["frames"] = [frame for frame in failure["frames"] if "<listcomp>" not in frame]
    frames = [
        "policies/engine.py in run",
        "policies/rules/image_registry.py in evaluate",
        "policies/image.py in wrong_images",
        "policies/rules/image_registry.py in is_from",
    ]
    assert record == _record(
        {"image-registry": {"frames": frames}}, rules={"failed": ["image-registry"]}
    )


def test_a_crash_of_the_webhook_is_logged_with_its_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    reviewer = Reviewer(SETTINGS)
    monkeypatch.setattr(reviewer, "_answer", _crash)
    frames = ["webhook/reviewer.py in review", _crashed()]
    assert _logged(reviewer) == _record(
        {"webhook": {"error": "RuntimeError", "frames": frames}},
        namespace="",
        owner=None,
        decision="refused",
        code=500,
        rules={},
    )


def test_what_the_http_server_logs_keeps_the_frames_of_an_exception_and_not_its_text() -> None:
    output = io.BytesIO()
    handler = ServerLogHandler(make_log("info", output))
    try:
        _crash()
    except RuntimeError as error:
        raised = (type(error), error, error.__traceback__)
    handler.emit(logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "failed", (), raised))
    record = json.loads(output.getvalue())
    assert record.pop("time")
    caller, raiser = record.pop("frames")
    assert caller.startswith(f"{FILE}:")
    assert raiser == _crashed()
    assert record == {
        "logger": "uvicorn.error",
        "exception": "RuntimeError",
        "event": "failed",
        "level": "error",
    }
