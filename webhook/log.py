"""Structured logs: one JSON object per line."""

import datetime as dt
import logging
import sys
from http import HTTPStatus
from typing import BinaryIO, Literal, TypeAlias

import msgspec
import structlog
from structlog.typing import EventDict, FilteringBoundLogger

from policies.admission import Effect
from policies.finding import failure_of
from policies.settings import Settings
from webhook.admission_answer import Answer

LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]

_ENCODER = msgspec.json.Encoder(enc_hook=repr)

MAX_LOGGED_LENGTH = 253
"""Characters of a name or a uid; no valid one is longer."""


def make_log(level: LogLevel, output: BinaryIO | None = None) -> FilteringBoundLogger:
    """Make a log that writes to standard output by default."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.BytesLogger(output or sys.stdout.buffer),
        processors=[_encode],  # one, since each costs as much as a rule
        wrapper_class=structlog.make_filtering_bound_logger(level),
        context_class=dict,
    ).bind()
    return log


def log_answer(
    log: FilteringBoundLogger, path: str, answer: Answer, settings: Settings, seconds: float
) -> None:
    """Log a review: at level `info` what rules did, at `debug` what concerned none of them.

    Rules are named, but nothing of the pod is quoted: its environment may hold secrets. A failure
    is logged as an error, with its frames.
    """
    failures = _failures(answer)
    write = log.info if answer.outcomes or answer.code != HTTPStatus.OK else log.debug
    if failures:
        write = log.error
    request = answer.request
    namespace = request.namespace if request else ""
    owner = settings.namespaces.get(namespace)
    write(
        "review",
        path=path,
        uid=answer.uid[:MAX_LOGGED_LENGTH],
        namespace=namespace[:MAX_LOGGED_LENGTH],
        owner=owner.team if owner else None,
        decision=answer.decision,
        code=answer.code,
        rules=_rules(answer),
        milliseconds=round(seconds * 1000, 3),
        **({"failures": failures} if failures else {}),
    )


def _rules(answer: Answer) -> dict[Effect, list[str]]:
    rules: dict[Effect, list[str]] = {}
    for outcome in answer.outcomes:
        names = rules.setdefault(outcome.effect, [])
        if (name := str(outcome.finding.rule)) not in names:
            names.append(name)
    return rules


def _failures(answer: Answer) -> dict[str, dict[str, object]]:
    """Return where rules failed, by their names, or else the webhook itself."""
    failed = {str(o.finding.rule): o.failure._asdict() for o in answer.outcomes if o.failure}
    if answer.failure:
        failed["webhook"] = answer.failure._asdict()
    return failed


def _encode(_logger: object, level: str, event: EventDict) -> bytes:
    event["level"] = level
    event["time"] = dt.datetime.now(dt.UTC)
    return _ENCODER.encode(event)


class ServerLogHandler(logging.Handler):
    """Passes what the HTTP server logs on to the structured log."""

    def __init__(self, log: FilteringBoundLogger) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        fields: dict[str, object] = {"logger": record.name}
        if record.exc_info and record.exc_info[1]:
            failure = failure_of(record.exc_info[1])
            fields |= {"exception": failure.error, "frames": failure.frames}
        self._log.log(record.levelno, record.getMessage(), **fields)
