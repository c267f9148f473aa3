"""A command of the webhook's image that a CronJob runs every few minutes, and what that needs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from charts_py.components.access import account_subject
from charts_py.components.network_rules import network_policy_of
from charts_py.components.object_table import read_objects
from charts_py.components.team.network_policies import allow_api_server, allow_dns
from charts_py.components.webhook.server import restricted_pod, webhook_image
from charts_py.objects.document import Document
from charts_py.objects.metadata import ObjectMeta, object_of
from charts_py.objects.pods import secret_references
from charts_py.platform.platform import Platform
from rounds.settings import Part, write

SETTINGS_KEY = "settings.json"


@dataclass(frozen=True, slots=True)
class Rounds:
    """A command of gpuplane that runs again and again, in a namespace of its own."""

    command: str
    namespace: str
    minutes: int
    """How often it runs."""

    @property
    def name(self) -> str:
        """Name of its objects, where there is one of a kind."""
        return f"gpuplane-{self.command}"

    @property
    def subject(self) -> dict[str, str]:
        """Who has its rights."""
        return account_subject(self.name, self.namespace)

    @property
    def user(self) -> str:
        """What the API server calls it."""
        return f"system:serviceaccount:{self.namespace}:{self.name}"

    def objects(
        self, platform: Platform, settings: Part, *reached: Mapping[str, Any]
    ) -> Iterator[Document]:
        """Yield all but its rights; beside the API server it reaches what such rules name."""
        account = {"automountServiceAccountToken": False}
        yield object_of(
            "v1", "ConfigMap", self._metadata, {"data": {SETTINGS_KEY: write(settings)}}
        )
        yield object_of("v1", "ServiceAccount", self._metadata, account)
        yield self.network_policy(platform, *reached)
        yield self.cron_job(
            platform.mirrors.of(webhook_image(platform.cluster)), platform.cluster.pull_secret_names
        )

    def cron_job(self, image: str, pull_secret_names: Iterable[str]) -> Document:
        (job,) = read_objects(
            __package__,
            "rounds",
            **restricted_pod(),
            name=self.name,
            namespace=self.namespace,
            labels=self._labels,
            command=self.command,
            schedule=f"*/{self.minutes} * * * *",
            image=image,
            pull_secrets=secret_references(pull_secret_names),
            settings_key=SETTINGS_KEY,
        )
        return job

    def network_policy(self, platform: Platform, *reached: Mapping[str, Any]) -> Document:
        """Return a NetworkPolicy that lets nobody in, and out where a round has to go."""
        network = platform.cluster.network
        specs = (
            allow_dns(platform.provider.dns_pods, network.dns_address),
            allow_api_server(network.api_server),
        )
        spec = {
            "podSelector": {"matchLabels": self._labels},
            "policyTypes": ["Ingress", "Egress"],
            "egress": [*(rule for each in specs for rule in each["egress"]), *reached],
        }
        return network_policy_of(self._metadata, spec)

    @property
    def _labels(self) -> dict[str, str]:
        return {"app.kubernetes.io/name": self.name}

    @property
    def _metadata(self) -> ObjectMeta:
        return ObjectMeta(self.name, self.namespace, labels=self._labels)
