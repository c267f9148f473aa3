"""What Prometheus reads of the webhook."""

import datetime as dt
import os
import time
from collections.abc import Callable, Iterable
from functools import lru_cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from policies.admission import Effect
from webhook.admission_answer import Answer

WORKERS_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable with the folder in which several workers add up their metrics
(https://prometheus.github.io/client_python/multiprocess/). It must be set before this module is
imported."""
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Seconds; the API server waits no longer than the last."""

_NAMESPACE = "gpuplane_webhook"
_FIXED = Effect.FIXED


class Metrics:
    """The webhook's metrics, in a registry of their own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._define_reviews()
        self._define_files()
        self._settings_in_force: tuple[str, str] | None = None

    def _define_reviews(self) -> None:
        self._request = self._counter(
            "requests",
            "Reviews answered, by `path` and by the status inside the answer, `code`.",
            "path",
            "code",
        )
        seconds = Histogram(
            "request_seconds",
            "Histogram of the time from the headers of a review to its answer, by `path`.",
            ["path"],
            namespace=_NAMESPACE,
            registry=self.registry,
            buckets=BUCKETS,
        )
        self._duration = lru_cache(seconds.labels)
        self._decision = self._counter(
            "decisions",
            "Findings that were not fixed, by `rule` and `decision`: "
            "denied, warned, audited or failed.",
            "rule",
            "decision",
        )
        self._fix = self._counter("fixes", "Findings that were fixed, by `rule`.", "rule")
        self._verdict = self._counter(
            "verdicts",
            "New pods that were judged at `/admit`, by the hash `judged_by` with which the webhook "
            "vouches for them, empty where something is wrong.",
            "judged_by",
        )

    def _define_files(self) -> None:
        self._settings = self._gauge(
            "settings_info",
            "1 for the settings in force, which `digest` names, of `cluster`.",
            "livemostrecent",
            "cluster",
            "digest",
        )
        self._settings_loaded = self._gauge(
            "settings_loaded_timestamp_seconds",
            "When the settings in force were read.",
            "livemostrecent",
        )
        self._expiry = self._gauge(
            "certificate_expiry_timestamp_seconds",
            "When the certificate in force expires.",
            "livemin",
        )
        self._failure = self._counter(
            "reload_failures",
            "Failed reloads, by `what` is broken: settings or certificate.",
            "what",
        )
        self._failing = self._gauge(
            "reload_failing",
            "1 while the last good version is kept, by `what` is broken.",
            "livemax",
            "what",
        )

    def _counter(self, name: str, documentation: str, *labels: str) -> Callable[..., Counter]:
        """Return what finds the counter of some labels, which costs as much as a rule."""
        counter = Counter(name, documentation, labels, _NAMESPACE, registry=self.registry)
        return lru_cache(counter.labels)

    def _gauge(self, name: str, documentation: str, mode: str, *labels: str) -> Gauge:
        return Gauge(
            name,
            documentation,
            labels,
            _NAMESPACE,
            registry=self.registry,
            multiprocess_mode=mode,  # type: ignore[arg-type] # a Literal of all modes
        )

    def answered(self, path: str, answer: Answer, seconds: float) -> None:
        self._request(path, answer.code).inc()
        self._duration(path).observe(seconds)
        if answer.judged_by is not None:
            self._verdict(answer.judged_by).inc()
        for outcome in answer.outcomes:
            rule = outcome.finding.rule
            if outcome.effect is _FIXED:
                self._fix(rule).inc()
            else:
                self._decision(rule, outcome.effect).inc()

    def loaded_settings(self, cluster: str, digest: str, rules: Iterable[str]) -> None:
        """Record which settings are in force, and that these rules have not failed.

        Prometheus finds no increase in a series that begins with its first failure.
        """
        for rule in rules:
            self._decision(rule, Effect.FAILED)
        if self._settings_in_force:
            # With several workers, a label that was once set cannot be removed.
            self._settings.labels(*self._settings_in_force).set(0)
        self._settings_in_force = (cluster, digest)
        self._settings.labels(cluster, digest).set(1)
        self._settings_loaded.set(time.time())

    def loaded_certificate(self, expiry: dt.datetime) -> None:
        self._expiry.set(expiry.timestamp())

    def reloaded(self, what: str) -> None:
        """Record that the files as they are now are in force."""
        self._failing.labels(what).set(0)

    def reload_failed(self, what: str) -> None:
        self._failure(what).inc()
        self._failing.labels(what).set(1)

    def exposition(self) -> bytes:
        """Return all metrics, of all workers together, in Prometheus' text format."""
        if WORKERS_DIRECTORY not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call] # upstream's
        return generate_latest(together)
