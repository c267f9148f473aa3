"""Kinds of workloads: where each states its pods, who may create it, how its pods are labelled."""
