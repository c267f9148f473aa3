"""`dist/`: versions, what each holds, how one is written, and what differs between two."""
