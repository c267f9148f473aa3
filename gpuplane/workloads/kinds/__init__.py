"""The kinds of workloads, those of one operator in one module."""
