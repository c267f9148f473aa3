"""Names of the platform's own namespaces."""

from charts_py.platform import platform_namespaces


def test_no_team_can_have_a_namespace_that_is_named_here() -> None:
    named = {
        value for name, value in vars(platform_namespaces).items() if name.endswith("_NAMESPACE")
    }
    assert named < platform_namespaces.RESERVED_NAMESPACES
