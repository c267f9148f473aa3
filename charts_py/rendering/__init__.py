"""From a Platform to all objects of its cluster, in memory."""
