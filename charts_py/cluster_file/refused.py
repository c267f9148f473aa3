"""Why a value of the right type is refused."""

from collections.abc import Sequence


class Refused(ValueError):  # noqa: N818 - it answers a wrong value, and is not an error of the program
    """What is wrong with a value and what is allowed, raised by the model's validators."""

    def __init__(self, what: str, allowed: str | None = None, nearest: Sequence[str] = ()) -> None:
        super().__init__(what if allowed is None else f"{what}; allowed: {allowed}")
        self.what = what
        self.allowed = allowed
        self.nearest = nearest
