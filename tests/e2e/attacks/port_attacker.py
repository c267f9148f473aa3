"""Somebody who reaches the webhook's port, and takes of it what can be taken."""

import itertools
import resource
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

_SECONDS = 30
_HEAD = b"POST /mutate HTTP/1.1\r\nhost: a\r\n"
_FIELDS = b"x: " + b"a" * 16_000 + b"\r\n"
_POURING = 2
_EVERY_SECONDS = 0.1
_REFUSED = (OSError, ssl.SSLError)


class PortAttacker:
    """Holds connections to a port of loopback, from the address that the API server calls from."""

    def __init__(self, port: int, authority: Path) -> None:
        self._port = port
        self._tls = ssl.create_default_context(cafile=authority)
        self._ended = threading.Event()

    @contextmanager
    def attacking(self, idle: int, slow: int) -> Iterator[None]:
        """Hold idle connections and slow bodies, and pour heads, until the context ends."""
        with ExitStack() as held, _open_files():
            for _ in range(idle):
                held.enter_context(self._connect())
            bodies = [self._connect() for _ in range(slow)]
            held.callback(_close, bodies)
            for body in bodies:
                body.sendall(_HEAD + b"content-length: 1000000\r\n\r\n{")
            threads = [threading.Thread(target=self._pour) for _ in range(_POURING)]
            threads.append(threading.Thread(target=self._drip, args=(bodies,)))
            for thread in threads:
                thread.start()
            try:
                yield
            finally:
                self._ended.set()
                for thread in threads:
                    thread.join(_SECONDS)

    def _connect(self) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self._port), timeout=_SECONDS)
        return self._tls.wrap_socket(plain, server_hostname="127.0.0.1")

    def _pour(self) -> None:
        """Send a head without end, again and again."""
        while not self._ended.wait(_EVERY_SECONDS):
            with suppress(*_REFUSED), self._connect() as client:
                client.sendall(_HEAD)
                while not self._ended.is_set():
                    client.sendall(_FIELDS)

    def _drip(self, bodies: list[ssl.SSLSocket]) -> None:
        """Send more of each body, and begin those anew that were given up."""
        for number in itertools.cycle(range(len(bodies))):
            if self._ended.wait(_EVERY_SECONDS / len(bodies)):
                return
            with suppress(*_REFUSED):
                try:
                    bodies[number].sendall(b" ")
                except _REFUSED:
                    bodies[number].close()
                    bodies[number] = self._connect()
                    bodies[number].sendall(_HEAD + b"content-length: 1000000\r\n\r\n{")


def _close(bodies: list[ssl.SSLSocket]) -> None:
    """Close those that are open in the end, begun anew or not."""
    for body in bodies:
        body.close()


@contextmanager
def _open_files(number: int = 8192) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(number, hard)), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
