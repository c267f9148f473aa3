"""A real browser, driven by its own protocol: https://chromedevtools.github.io/devtools-protocol/"""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import IO, Any

_OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe")
_PIPES = 'exec "$0" "$@" 3<&{} 4>&{}'
"""The browser reads orders from descriptor 3, and answers on 4."""


class Tab:
    def __init__(self, orders: IO[bytes], answers: IO[bytes]) -> None:
        self._orders, self._answers = orders, answers
        self._numbers = count(1)
        self._session: dict[str, str] = {}
        target = self.order("Target.createTarget", url="about:blank")["targetId"]
        attached = self.order("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}

    def order(self, method: str, **parameters: object) -> dict[str, Any]:
        """Have something done; return what came of it."""
        number = next(self._numbers)
        order = {"id": number, "method": method, "params": parameters, **self._session}
        self._orders.write(json.dumps(order).encode() + b"\0")
        self._orders.flush()
        while (answer := json.loads(self._next())).get("id") != number:
            pass  # an event
        result: dict[str, Any] = answer["result"]
        return result

    def open(self, url: str) -> None:
        self.order("Page.navigate", url=url)

    def value(self, expression: str) -> Any:
        """Return what an expression comes to, or the promise that it is."""
        answer = self.order(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def _next(self) -> bytes:
        letters = bytearray()
        while (letter := self._answers.read(1)) != b"\0":
            assert letter, "the browser has ended"
            letters += letter
        return bytes(letters)


@contextmanager
def tab(binary: str, profile: Path) -> Iterator[Tab]:
    """Start a browser with a tab; end it afterwards."""
    read_orders, write_orders = os.pipe()
    read_answers, write_answers = os.pipe()
    command = ["bash", "-c", _PIPES.format(read_orders, write_answers), binary, *_OPTIONS]
    with (
        open(write_orders, "wb") as orders,  # noqa: PTH123 # descriptors have no path
        open(read_answers, "rb") as answers,  # noqa: PTH123 # likewise
        subprocess.Popen(
            [*command, f"--user-data-dir={profile}"],
            pass_fds=(read_orders, write_answers),
            stderr=subprocess.DEVNULL,
        ) as browser,
    ):
        os.close(read_orders)
        os.close(write_answers)
        try:
            yield Tab(orders, answers)
        finally:
            browser.terminate()
