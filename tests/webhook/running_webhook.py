"""A webhook in a process of its own, on loopback, with a certificate of its own."""

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import psutil
import trustme

from policies.document import Document
from policies.settings import Settings
from policies.settings_json import write_settings
from tests.webhook.pods import body_of

SERVE = """
import sys
from pathlib import Path, PosixPath
from webhook.gate import Limits
from webhook.serve import serve
from webhook.serve_options import ServeOptions
folder, options = Path(sys.argv[1]), eval(sys.argv[2])
limits = Limits(**options.pop("limits", {}))
paths = dict(
    settings=folder / "settings.json", certificate=folder / "tls.crt", key=folder / "tls.key"
)
if __name__ == "__main__":
    sys.exit(serve(ServeOptions(**paths | options, host="127.0.0.1", port=0, limits=limits)))
"""
PATIENCE = 20


@dataclass
class Answered:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def response(self) -> Document:
        review = json.loads(self.body)
        assert list(review) == ["apiVersion", "kind", "response"]
        assert (review["apiVersion"], review["kind"]) == ("admission.k8s.io/v1", "AdmissionReview")
        return dict(review["response"])


@dataclass
class RunningWebhook:
    folder: Path
    authority: trustme.CA
    process: subprocess.Popen[bytes]
    trusted: ssl.SSLContext | None = None
    """What clients trust; None for its authority only."""
    ports: list[int] = field(default_factory=list)
    unread: SimpleQueue[bytes] = field(default_factory=SimpleQueue)
    """Lines of the log; an empty one after the last."""
    logged: list[Document] = field(default_factory=list)

    @property
    def port(self) -> int:
        return self.ports[0]

    @property
    def workers(self) -> list[psutil.Process]:
        children = psutil.Process(self.process.pid).children()
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]

    def tls(self) -> ssl.SSLContext:
        # The default context reads the authorities of the machine, in 20 ms.
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.authority.configure_trust(context)
        return context

    def connect(self, tls: ssl.SSLContext | None = None) -> http.client.HTTPSConnection:
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=tls or self.trusted or self.tls(), timeout=PATIENCE
        )

    def open_raw(self) -> ssl.SSLSocket:
        """Open a connection to send bytes on."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        return self.tls().wrap_socket(plain, server_hostname="127.0.0.1")

    def ask(
        self, path: str, body: bytes | None = None, tls: ssl.SSLContext | None = None
    ) -> Answered:
        """Ask over a connection of its own."""
        with closing(self.connect(tls)) as connection:
            return exchange(connection, path, body)

    def ask_operations(self, path: str) -> Answered:
        """Ask without TLS."""
        plain = http.client.HTTPConnection("127.0.0.1", self.ports[1], timeout=PATIENCE)
        with closing(plain) as connection:
            return exchange(connection, path)

    def review(self, path: str, request: Document) -> Document:
        answered = self.ask(path, body_of(request))
        assert answered.status == 200
        return answered.response

    def metric(self, name: str) -> float:
        """Return a metric's value; 0 where it is not yet there."""
        for line in self.ask("/metrics").body.decode().splitlines():
            if line.startswith(f"gpuplane_webhook_{name} "):
                return float(line.rpartition(" ")[2])
        return 0

    def write(self, name: str, contents: str | bytes) -> None:
        """Replace a file at once."""
        new = self.folder / f"{name}.new"
        new.write_bytes(contents.encode() if isinstance(contents, str) else contents)
        new.replace(self.folder / name)

    def log_until(self, event: str) -> Document:
        """Read the log up to an event, and return it."""
        while line := self.unread.get(timeout=PATIENCE):
            self.logged.append(json.loads(line))
            if self.logged[-1]["event"] == event:
                return self.logged[-1]
        raise AssertionError(f"the webhook ended without logging {event}: {self.logged}")

    def logged_of(self, uid: str) -> list[Document]:
        """Return what was logged of a review that was answered; its line comes after its answer."""
        while not (found := [each for each in self.logged if each.get("uid") == uid]):
            self.log_until("review")
        return found

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE)


def exchange(
    connection: http.client.HTTPConnection, path: str, body: bytes | Iterator[bytes] | None = None
) -> Answered:
    connection.request("POST" if body is not None else "GET", path, body)
    return _read(connection.getresponse())


def answer_on(client: ssl.SSLSocket) -> Answered:
    response = http.client.HTTPResponse(client)
    response.begin()
    return _read(response)


def _read(response: http.client.HTTPResponse) -> Answered:
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answered(response.status, headers, response.read())


def write_certificate(folder: Path, authority: trustme.CA) -> None:
    issued = authority.issue_cert("127.0.0.1")
    (folder / "tls.crt").write_bytes(b"".join(pem.bytes() for pem in issued.cert_chain_pems))
    (folder / "tls.key").write_bytes(issued.private_key_pem.bytes())


def _collect(log: Iterable[bytes], unread: SimpleQueue[bytes]) -> None:
    """Empty the pipe as a container's runtime does: a webhook whose log is full stands still."""
    for line in log:
        unread.put(line)
    unread.put(b"")


@contextmanager
def running_webhook(
    folder: Path, settings: Settings, /, **options: Any
) -> Iterator[RunningWebhook]:
    authority = trustme.CA()
    write_certificate(folder, authority)
    (folder / "settings.json").write_text(write_settings(settings))
    arguments = "dict(" + ", ".join(f"{name}={value!r}" for name, value in options.items()) + ")"
    command = [sys.executable, "-c", SERVE, str(folder), arguments]
    environment = {**os.environ, "TMPDIR": str(folder.parent)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, start_new_session=True, env=environment
    ) as process:
        webhook = RunningWebhook(folder, authority, process)
        log = process.stdout or ()
        # A daemon, so that what outlives the webhook and holds its log holds up no other test.
        collecting = Thread(target=_collect, args=(log, webhook.unread), daemon=True)
        collecting.start()
        try:
            for _ in range(2 if "operations_port" in options else 1):
                webhook.ports.append(webhook.log_until("listening")["port"])
            webhook.log_until("certificate loaded")
            if "client_ca" not in options:
                webhook.ask("/livez")
            yield webhook
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            collecting.join(PATIENCE)
