"""Why a value that has the right kind is refused."""

from collections.abc import Sequence


class Refused(ValueError):  # noqa: N818 - it is the answer to a value, and no fault of ours
    """What is wrong with a value and what is allowed, raised by the model's validators."""

    def __init__(self, what: str, allowed: str | None = None, nearest: Sequence[str] = ()) -> None:
        super().__init__(what if allowed is None else f"{what}; allowed: {allowed}")
        self.what = what
        self.allowed = allowed
        self.nearest = nearest
