"""The components of a platform, one a file.

Each module has one cdk8s construct with typed props and a function `plan` that yields the
components which a platform needs of its kind.
"""
