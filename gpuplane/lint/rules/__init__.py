"""Rules on what only the manifest of a workload says, a module each."""
