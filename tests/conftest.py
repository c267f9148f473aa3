"""How many inputs property tests try."""

import os

from hypothesis import HealthCheck, settings

# The same examples on every run: what fails in a pull request fails on the author's machine too.
settings.register_profile("repeatable", derandomize=True, deadline=None)
# New examples on every run, and many: `make fuzz`.
settings.register_profile(
    "fuzz", max_examples=5000, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
