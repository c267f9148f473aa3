"""Who fixes and judges pods at admission."""

from enum import StrEnum


class Admission(StrEnum):
    """Who fixes and judges pods at admission: the webhook, policies in the API server, or both."""

    BACKSTOP = "backstop"
    """The webhook fixes, and is passed over where it does not answer; the API server judges by
    policies of its own, always."""
    WEBHOOK_ONLY = "webhook-only"
    """The webhook fixes and judges, and is passed over where it does not answer."""
    IN_TREE_ONLY = "in-tree-only"
    """The API server fixes and judges by policies of its own; there is no webhook."""

    @property
    def has_webhook(self) -> bool:
        """Whether there is a webhook."""
        return self is not Admission.IN_TREE_ONLY

    @property
    def has_policies(self) -> bool:
        """Whether the API server has policies of the rules."""
        return self is not Admission.WEBHOOK_ONLY
