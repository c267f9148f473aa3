"""What a user reads when a call is refused."""

from collections.abc import Callable
from typing import ParamSpec

import pytest

P = ParamSpec("P")


def message_of(
    error: type[Exception], call: Callable[P, object], *arguments: P.args, **fields: P.kwargs
) -> str:
    with pytest.raises(error) as caught:
        call(*arguments, **fields)
    return str(caught.value)
