"""cert-manager, which issues certificates, that of the admission webhook first.

Its ClusterRoles are not aggregated into `admin`, `edit` and `view`: teams have the roles of the
platform. https://cert-manager.io/docs/installation/helm/
"""

from charts_py.components.alert_tables import alert_table
from charts_py.components.chart import known_chart
from charts_py.components.definition import Definition
from charts_py.components.scraping import scraped_by_operator
from charts_py.components.webhook.server import NAMESPACE as WEBHOOK_NAMESPACE
from charts_py.platform.contribution import PlatformNamespace
from charts_py.platform.metrics_collection import ScrapeTarget
from charts_py.platform.wave import Wave
from policies.settings import PodSecurity

CERT_MANAGER_NAME = "cert-manager"
"""Name of its chart, its namespace and its Application."""
_TARGET = ScrapeTarget(
    CERT_MANAGER_NAME,
    CERT_MANAGER_NAME,
    {"app.kubernetes.io/name": CERT_MANAGER_NAME, "app.kubernetes.io/component": "controller"},
    port="http-metrics",
    # Those of the Certificates.
    honors_labels=True,
)


CERT_MANAGER = Definition(
    name=CERT_MANAGER_NAME,
    description=__doc__,
    appears="where the cluster asks for it",
    is_wanted=lambda platform: platform.cluster.addons.cert_manager,
    fields=("addons.certManager",),
    wave=Wave.OPERATORS,
    namespace=PlatformNamespace(CERT_MANAGER_NAME, PodSecurity.RESTRICTED, goes_last=True),
    charts=(known_chart(CERT_MANAGER_NAME),),
    scraped=scraped_by_operator(_TARGET),
    rules=alert_table(
        CERT_MANAGER_NAME,
        CERT_MANAGER_NAME,
        __package__,
        "cert_manager",
        webhook=WEBHOOK_NAMESPACE,
        has=lambda platform, _: platform.monitoring.has_operator,
    ),
)
