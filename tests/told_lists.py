"""Lists that grow with a table, in the messages that tests expect."""

from charts_py.cluster_file.controllers import ControllerName
from charts_py.cluster_file.pool import Pool
from charts_py.components.registry import known_charts
from gpus.catalog import load_catalog
from gpus.provider import Provider
from policies.rule_name import RuleName
from upstream.kubernetes_version import KubernetesVersion


def with_lists(text: str) -> str:
    """Return a text with the lists that it names.

    `<minors>` are the supported minors of Kubernetes, each quoted where that is quoted, `<GPUs
    of GKE>` and `<GPUs with MIG>` are the GPU models that GKE has, and those that have MIG;
    `<rules>` are the rules on pods, `<charts>` those of all components, `<controllers>` those that
    the platform installs, and `<fields of a pool>` those of a cluster file in a cloud, and `<fields
    of an own pool>` those where machines are one's own.
    """
    quoted = ", ".join(f'"{minor}"' for minor in KubernetesVersion)
    models = ", ".join(load_catalog().accelerators(Provider.GKE))
    fields = [str(one.alias) for one in Pool.model_fields.values()]
    of_own = (each for each in fields if each not in ("instanceType", "instanceTypes"))
    with_mig = ", ".join(sorted(name for name, one in load_catalog().models.items() if one.mig))
    charts = ", ".join(known_charts())
    return (
        text.replace('"<minors>"', quoted)
        .replace("<minors>", ", ".join(KubernetesVersion))
        .replace("<GPUs of GKE>", models)
        .replace("<GPUs with MIG>", with_mig)
        .replace("<charts>", charts)
        .replace("<rules>", ", ".join(RuleName))
        .replace("<controllers>", ", ".join(ControllerName))
        .replace("<fields of a pool>", ", ".join(each for each in fields if each != "match"))
        .replace("<fields of an own pool>", ", ".join(of_own))
    )
