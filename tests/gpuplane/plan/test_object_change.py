"""All objects of a cluster, found by what is asked of them."""

from charts_py.objects.document import Document, ObjectKey
from gpuplane.plan.object_change import ClusterObjects
from gpuplane.versions.comparison import PlacedDocuments, PlacedObject

NAMESPACE = ObjectKey("", "Namespace", "", "lab")
QUOTA = ObjectKey("", "ResourceQuota", "lab", "quota")
APPLICATION = ObjectKey("argoproj.io", "Application", "argocd", "onprem-team-lab")


def _application(path: str) -> Document:
    return {"kind": "Application", "spec": {"source": {"path": path}}}


def _objects(component: str, application: Document) -> PlacedDocuments:
    return {
        PlacedObject("argocd", APPLICATION): application,
        PlacedObject(component, NAMESPACE): {"kind": "Namespace"},
        PlacedObject(component, QUOTA): {"kind": "ResourceQuota"},
    }


def test_each_object_is_found_where_it_stands() -> None:
    old, new = _application("dist/onprem/1.0.0/team-lab"), _application("dist/onprem/1.1.0/lab")
    cluster = ClusterObjects(_objects("team-lab", old), _objects("lab", new))
    assert cluster.namespaces_before == {"lab": PlacedObject("team-lab", NAMESPACE)}
    assert cluster.applications == ({"team-lab": old}, {"lab": new})
    assert cluster.places_afterwards == {
        APPLICATION: (PlacedObject("argocd", APPLICATION),),
        NAMESPACE: (PlacedObject("lab", NAMESPACE),),
        QUOTA: (PlacedObject("lab", QUOTA),),
    }


def test_one_object_may_stand_in_several_components() -> None:
    places = tuple(PlacedObject(component, QUOTA) for component in ("a", "b"))
    cluster = ClusterObjects({}, {each: {} for each in places})
    assert cluster.places_afterwards == {QUOTA: places}
