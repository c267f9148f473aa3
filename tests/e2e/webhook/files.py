"""The files that the webhook is served with, mounted as the kubelet mounts them."""

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import trustme

from charts_py.objects.manifest_yaml import from_yaml

_SETTINGS = "webhook/ConfigMap.gpuplane-webhook-settings.yaml"
_CERTIFICATE = "tls.crt"
_KEY = "tls.key"
_DATA = "..data"


@dataclass(frozen=True, slots=True)
class WebhookFiles:
    """The folder of a webhook, and who vouches for its certificates."""

    folder: Path
    issuer: trustme.CA = field(repr=False)

    @property
    def authority(self) -> Path:
        """PEM of who vouches for the webhook."""
        return self.folder / "authority.crt"

    @property
    def settings(self) -> Path:
        """What the rules know of the cluster."""
        return self.folder / "settings.json"

    @property
    def certificate(self) -> Path:
        """PEM of the certificate in force."""
        return self._mounted / _CERTIFICATE

    @property
    def key(self) -> Path:
        """PEM of its key."""
        return self._mounted / _KEY

    def renew_certificate(self) -> None:
        """Issue a new certificate, and swap it in together with its key.

        As the kubelet does, through one symbolic link beside the files
        (https://kubernetes.io/docs/concepts/configuration/secret/#using-secrets-as-files-from-a-pod).
        """
        issued = self.issuer.issue_cert("127.0.0.1")
        version = next(each for number in count() if not (each := self._version(number)).exists())
        version.mkdir(parents=True)
        chain = b"".join(pem.bytes() for pem in issued.cert_chain_pems)
        (version / _CERTIFICATE).write_bytes(chain)
        issued.private_key_pem.write_to_path(version / _KEY)
        link = self._mounted / "..new"
        link.symlink_to(version.name)
        link.replace(self._mounted / _DATA)

    @property
    def _mounted(self) -> Path:
        return self.folder / "certificate"

    def _version(self, number: int) -> Path:
        return self._mounted / f"..{number}"


def write_webhook_files(release: Path, folder: Path) -> WebhookFiles:
    """Write the settings of a release, as `dist/training/1.0.0`, and a certificate."""
    files = WebhookFiles(folder, trustme.CA())
    (config_map,) = from_yaml((release / _SETTINGS).read_text())
    files.settings.write_text(config_map["data"]["settings.json"])
    files.issuer.cert_pem.write_to_path(files.authority)
    files.renew_certificate()
    for file in (files.certificate, files.key):
        file.symlink_to(Path(_DATA) / file.name)
    return files
