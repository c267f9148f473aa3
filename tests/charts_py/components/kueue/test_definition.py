"""The namespace of Kueue."""

from charts_py.components.kueue.definition import (
    KUEUE,
    NAMESPACE_OF_KUEUE,
)
from charts_py.components.kueue.queues import KUEUE_QUEUES
from charts_py.components.namespaces import NAMESPACES
from tests.charts_py.fixture_types import DocumentsOf, Load, PlatformWith


def test_it_stands_in_a_component_of_its_own(
    platform_after: PlatformWith, documents_of_component: DocumentsOf
) -> None:
    platform = platform_after("queues")
    of_kueue, of_others = (
        [document["metadata"]["name"] for document in documents_of_component(component)]
        for definition in (NAMESPACE_OF_KUEUE, NAMESPACES)
        for component in definition.plan(platform)
    )
    assert (of_kueue, "kueue-system" in of_others) == (["kueue-system"], False)


def test_it_is_removed_after_kueue_and_that_after_the_queues() -> None:
    assert NAMESPACE_OF_KUEUE.wave < KUEUE.wave < KUEUE_QUEUES.wave


def test_it_is_scraped_over_tls_with_a_token(platform_after: PlatformWith) -> None:
    platform = platform_after("queues")
    (target,) = KUEUE.scraped(platform)
    assert (target.port, target.is_authorized) == ("https", True)
    (group,) = KUEUE.rules.groups(platform)
    assert (group.namespace, group.alerts) == (target.namespace, KUEUE.rules.alerts())


def test_where_google_collects_which_shows_no_token_nothing_is_scraped_or_alerted_on(
    example: Load,
) -> None:
    platform = example("inference")
    assert not platform.monitoring.has_operator
    assert (KUEUE.scraped(platform), KUEUE.rules.groups(platform)) == ((), ())
