"""A package, which its clusters outlive no longer than its tests run."""
