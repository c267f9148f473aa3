"""Each attribute and behaviour of uvicorn that `webhook.http` relies on without a promise."""

import ast
import asyncio
import signal
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

WEBHOOK = Path(__file__).parents[3] / "webhook"
HEAD = b"POST /mutate?timeout=2s HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n"


class Recorder(HttpToolsProtocol):
    """Records which of the methods that are overridden uvicorn and its parser call."""

    def __init__(self, *arguments: Any) -> None:
        self.calls: list[str] = []
        super().__init__(*arguments)


def _recording(name: str) -> Callable[..., None]:
    def method(self: Recorder, *given: Any) -> None:
        self.calls.append(f"{name} {given[0]!r}" if name == "on_body" else name)
        getattr(HttpToolsProtocol, name)(self, *given)

    return method


for overridden in (
    "on_message_begin",
    "on_headers_complete",
    "on_body",
    "on_message_complete",
    "on_response_complete",
    "send_400_response",
):
    setattr(Recorder, overridden, _recording(overridden))


class RefusingHeads(Recorder):
    """Reads no request."""

    def on_headers_complete(self) -> None:
        self.calls.append("on_headers_complete")
        raise ValueError


class Transport(asyncio.Transport):
    """Takes what is written."""

    closing = False

    def write(self, data: object) -> None:
        pass

    def close(self) -> None:
        self.closing = True

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def answers(_scope: Any, receive: Any, send: Any) -> None:
    while (await receive())["more_body"]:
        pass
    headers = [(b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def _server(kind: type[uvicorn.Server] = uvicorn.Server) -> uvicorn.Server:
    return kind(uvicorn.Config(answers, lifespan="off", log_config=None, timeout_keep_alive=9))


@asynccontextmanager
async def _connection(kind: type[Recorder] = Recorder) -> AsyncIterator[Recorder]:
    server = _server()
    made = kind(server.config, server.server_state, {}, asyncio.get_running_loop())
    made.connection_made(Transport())
    yield made
    made.connection_lost(None)


async def _connected(fact: Callable[[Recorder], Awaitable[None]]) -> None:
    async with _connection() as connection:
        await fact(connection)


def _with_connection(fact: Callable[[Recorder], Awaitable[None]]) -> Callable[[], None]:
    """Make a test of what is to be true of a connection."""
    return lambda: asyncio.run(_connected(fact))


async def _answered(connection: Recorder) -> None:
    async with asyncio.timeout(20):
        while connection.tasks:
            await asyncio.sleep(0)


def test_uvicorns_internals_are_imported_in_one_module() -> None:
    importing = {
        file.relative_to(WEBHOOK).as_posix()
        for file in WEBHOOK.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("uvicorn")
    }
    assert importing == {"http/bounded_protocol.py"}


@pytest.mark.parametrize(
    "name",
    [
        "client",
        "config.app",
        "connections",
        "cycle.more_body",
        "cycle.response_complete",
        "expect_100_continue",
        "flow.write_paused",
        "headers",
        "logger",
        "loop.time",
        "parser.get_method",
        "parser.should_keep_alive",
        "parser.should_upgrade",
        "pipeline",
        "timeout_keep_alive_task",
        "transport.abort",
        "transport.is_closing",
        "url",
    ],
)
def test_a_connection_with_a_request_has_the_attribute(name: str) -> None:
    async def fact(connection: Recorder) -> None:
        connection.data_received(HEAD)
        value: Any = connection
        for part in name.split("."):
            assert hasattr(value, part)
            value = getattr(value, part)

    asyncio.run(_connected(fact))


def test_a_status_line_ends_with_a_line_break() -> None:
    assert STATUS_LINE[200] == b"HTTP/1.1 200 OK\r\n"


@_with_connection
async def test_the_methods_that_are_overridden_are_called_in_the_order_of_a_request(
    connection: Recorder,
) -> None:
    connection.data_received(HEAD + b"{")
    connection.data_received(b"}")
    await _answered(connection)
    assert connection.calls == [
        "on_message_begin",
        "on_headers_complete",
        "on_body b'{'",
        "on_body b'}'",
        "on_message_complete",
        "on_response_complete",
    ]


def test_what_a_callback_of_the_parser_raises_ends_it_and_is_answered_as_what_is_not_http() -> None:
    async def fact() -> None:
        async with _connection(RefusingHeads) as connection:
            connection.data_received(HEAD + b"{}")
            await _answered(connection)
            assert connection.calls == [
                "on_message_begin",
                "on_headers_complete",
                "send_400_response",
            ]

    asyncio.run(fact())


@_with_connection
async def test_fields_after_a_body_are_added_to_those_of_its_head(connection: Recorder) -> None:
    head = b"POST /mutate HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"
    connection.data_received(head + b"0\r\nA: b\r\n\r\n")
    await _answered(connection)
    assert connection.headers == [(b"transfer-encoding", b"chunked"), (b"a", b"b")]


@_with_connection
async def test_shutting_down_closes_a_connection_that_is_idle(connection: Recorder) -> None:
    connection.shutdown()
    assert connection.transport.is_closing()


@_with_connection
async def test_the_url_holds_path_and_query(connection: Recorder) -> None:
    connection.data_received(HEAD)
    assert connection.url == b"/mutate?timeout=2s"


@_with_connection
async def test_a_cycle_begins_with_a_head_and_knows_whether_its_body_and_response_are_complete(
    connection: Recorder,
) -> None:
    def state() -> tuple[bool, bool]:
        return connection.cycle.more_body, connection.cycle.response_complete

    assert connection.cycle is None
    connection.data_received(HEAD)
    assert state() == (True, False)
    connection.data_received(b"{}")
    assert state() == (False, False)
    await _answered(connection)
    assert state() == (False, True)


@_with_connection
async def test_the_keep_alive_timer_runs_only_between_an_answer_and_what_comes_next(
    connection: Recorder,
) -> None:
    assert connection.timeout_keep_alive_task is None
    connection.data_received(HEAD + b"{}")
    assert connection.timeout_keep_alive_task is None
    await _answered(connection)
    assert connection.timeout_keep_alive_task is not None
    connection.data_received(b"P")
    assert connection.timeout_keep_alive_task is None


@_with_connection
async def test_completing_a_response_that_uvicorn_did_not_write_arms_the_keep_alive_timer(
    connection: Recorder,
) -> None:
    HttpToolsProtocol.on_response_complete(connection)
    assert connection.timeout_keep_alive_task is not None


@_with_connection
async def test_a_server_knows_its_open_connections(connection: Recorder) -> None:
    assert connection.server_state.connections == {connection}
    assert connection.connections is connection.server_state.connections


def test_a_server_ticks_ten_times_a_second_until_it_should_exit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks, naps = [], []

    class Ticking(uvicorn.Server):
        async def on_tick(self, counter: int) -> bool:
            ticks.append(counter)
            self.should_exit = counter == 2
            return await super().on_tick(counter)

    async def nap(seconds: float) -> None:
        naps.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", nap)
    asyncio.run(_server(Ticking).main_loop())
    assert (ticks, naps) == ([0, 1, 2], [0.1, 0.1])


def test_a_server_handles_signals_by_handle_exit_while_it_captures_them() -> None:
    before = signal.getsignal(signal.SIGTERM)
    server = _server()
    with server.capture_signals():
        assert signal.getsignal(signal.SIGTERM) == server.handle_exit
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_server_captures_signals_while_it_serves() -> None:
    class Capturing(uvicorn.Server):
        captured = False

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            self.captured = signal.getsignal(signal.SIGTERM) == self.handle_exit
            self.should_exit = True
            await super().startup(sockets)

    server = _server(Capturing)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        asyncio.run(server.serve([listener]))
    assert isinstance(server, Capturing)
    assert server.captured


def test_a_server_starts_by_startup_and_closes_in_the_end_what_it_has_in_servers() -> None:
    calls: list[object] = []

    class Listener:
        def close(self) -> None:
            calls.append("close")

        async def wait_closed(self) -> None:
            calls.append("wait_closed")

    class Starting(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            calls.append(sockets)
            self.servers: list[Any] = [Listener()]
            self.started = self.should_exit = True

    with socket.create_server(("127.0.0.1", 0)) as listening:
        asyncio.run(_server(Starting).serve([listening]))
        assert calls == [[listening], "close", "wait_closed"]


def test_the_tls_context_of_a_configuration_is_its_ssl() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    config = uvicorn.Config(answers, log_config=None, ssl_context_factory=lambda *_: context)
    config.load()
    assert config.ssl is context
