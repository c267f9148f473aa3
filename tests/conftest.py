"""How many inputs property tests try, and how often the garbage collector looks for cycles."""

import gc
import os

from hypothesis import HealthCheck, settings

# The same examples on every run: what fails in a pull request fails on the author's machine too.
settings.register_profile("repeatable", max_examples=30, derandomize=True, deadline=None)
# New examples on every run, and many: `make fuzz`.
settings.register_profile(
    "fuzz", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


def pytest_collection_finish() -> None:
    """Keep the collector from what is imported, and from each look at what is being parsed.

    With Python's own thresholds it takes a sixth of the tests' time.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
