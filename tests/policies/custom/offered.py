"""Expressions that call all that rules of a platform team's own may call; all are true of a pod."""

from policies.document import Document

POD: Document = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {
        "name": "offered",
        "labels": {"app": "Train", "empty": ""},
        "annotations": {"list": "b,a,é"},
    },
    "spec": {
        "automountServiceAccountToken": False,
        "terminationGracePeriodSeconds": 7,
        "containers": [
            {
                "name": "first",
                "image": "registry.example.com/a:1",
                "ports": [{"containerPort": 80}, {"containerPort": 8080}],
                "resources": {
                    "limits": {"memory": "1Gi", "cpu": "1500m"},
                    "requests": {"memory": "1Gi"},
                },
            },
            {"name": "second", "image": "registry.example.com/b:2"},
        ],
    },
}

_ANNOTATIONS = "object.metadata.annotations"
_CONTAINERS = "object.spec.containers"
_MEMORY = f"{_CONTAINERS}[0].resources.limits.memory"
_PORTS = f"{_CONTAINERS}[0].ports.map(port, port.containerPort)"
EXPRESSIONS = (
    "has(object.spec.containers) && !has(object.spec.volumes)",
    f"{_CONTAINERS}.all(each, each.image.startsWith('registry.example.com/'))",
    f"{_CONTAINERS}.exists(each, each.name.endsWith('d')) && {_CONTAINERS}[0].name.contains('irs')",
    f"{_CONTAINERS}.exists_one(each, has(each.ports))",
    f"{_CONTAINERS}.map(each, each.name) == ['first', 'second']",
    f"{_CONTAINERS}.map(each, has(each.ports), each.name) == ['first']",
    f"size({_CONTAINERS}.filter(each, each.name != 'first')) == 1 && 'é'.size() == 1",
    "object.metadata.labels.app.matches('^[A-Z][a-z]+$')",
    "string(object.spec.terminationGracePeriodSeconds) == '7'",
    "object.spec.terminationGracePeriodSeconds > 6.5",
    "object.spec.terminationGracePeriodSeconds == 7.0",
    "object.spec.terminationGracePeriodSeconds * 2 + 1 - 5 % 3 == 13 && 7 / 2 == 3 && -7 / 2 == -3",
    "dyn(1) == dyn(1.0) && dyn(1) != dyn('1') && [dyn(1), dyn('a')].size() == 2",
    "'app' in object.metadata.labels && 'first' in ['first'] && !('no' in object.metadata.labels)",
    "object.metadata.?labels.?app.orValue('') == 'Train'",
    "object.metadata.?labels[?'none'].orValue('none') == 'none'",
    "object.?spec.?volumes.hasValue() ? false : object.?spec.?containers.value().size() == 2",
    "object.metadata.?generateName.or(object.metadata.?name).orValue('') == 'offered'",
    "optional.of('a').value() == 'a' && !optional.none().hasValue()",
    f"{_CONTAINERS}[?5].hasValue() == false",
    f"{_ANNOTATIONS}.list.split(',').join('-') == 'b-a-é'",
    f"{_ANNOTATIONS}.list.substring(2) == 'a,é' && {_ANNOTATIONS}.list.substring(5) == ''",
    f"{_ANNOTATIONS}.list.charAt(4) == 'é' && {_ANNOTATIONS}.list.indexOf('é') == 4",
    f"{_ANNOTATIONS}.list.lastIndexOf(',') == 3 && {_ANNOTATIONS}.list.replace(',', '') == 'baé'",
    "object.metadata.labels.app.lowerAscii() == 'train' && 'é a'.upperAscii() == 'é A'",
    "'  a '.trim() == 'a' && object.metadata.labels.empty == ''",
    f"quantity({_MEMORY}).isGreaterThan(quantity('1023Mi'))",
    f"quantity({_MEMORY}).isLessThan(quantity('2G'))",
    "quantity('1k').compareTo(quantity('1')) == 1 && quantity('1').compareTo(quantity('1k')) == -1",
    f"quantity({_CONTAINERS}[0].resources.limits.cpu).asApproximateFloat() == 1.5",
    "isQuantity('1Gi') && !isQuantity('many') && !isQuantity('1 Gi')",
    f"{_PORTS}.sum() == 8160 && {_PORTS}.max() == 8080 && {_PORTS}.min() == 80",
    f"{_PORTS}.indexOf(8080) == 1 && {_PORTS}.indexOf(1) == -1",
    "['b', 'a'].min() == 'a' && [1.5, 2.5].sum() == 4.0",
    "request.operation == 'CREATE' && request.namespace.startsWith('o')",
    "{'a': 1}['a'] == 1 && {'a': [1]} == {'a': [1]} && [1] + [2] == [1, 2]",
    "'abc'.lastIndexOf('') == 3",
    "'a-b-c'.split('-', 2) == ['a', 'b-c']",
    "'a-b-c'.split('-', 0) == [] && 'a-b-c'.split('-', -1).size() == 3 && ''.split(',') == ['']",
    "'a-b-c'.replace('-', '', 1) == 'ab-c' && 'abc'.replace('', '-') == '-a-b-c-'",
    "'abc'.charAt(3) == '' && 'abc'.substring(3) == '' && [].join(',') == ''",
    "'\\u00a0a\\u2003'.trim() == 'a' && 'É'.lowerAscii() == 'É' && 'éa'.charAt(1) == 'a'",
    "!'a\\nb'.matches('a.b') && !'a\\nb'.matches('^b$') && 'é'.matches('^.$')",
    "'z' < 'é' && 5 % -3 == 2 && -5 % 3 == -2 && dyn(1) < dyn(2.5)",
    "string(true) == 'true' && string(-1) == '-1' && dyn(null) == null",
    "true || object.none.none == 1",
    "object.none.none == 1 || true",
    "!(false && object.none.none == 1) && 'a' < 'b' && 1 <= 1",
    "'it\\'s' == \"it's\" && r'\\d' == '\\\\d' && 'é' == '\\u00e9' // a comment, isn't it",
)
ERRORS = (
    "object.spec.none == 1",
    "object.metadata.labels['none'] == ''",
    f"{_CONTAINERS}[5].name == ''",
    "9223372036854775807 + object.spec.terminationGracePeriodSeconds == 1",
    "object.metadata.name.charAt(-1) == ''",
)
"""What no evaluator has a value for."""
OTHER_ERRORS = (
    "!object.spec.terminationGracePeriodSeconds",
    "dyn('a') < dyn(1)",
    "object.spec.volumes.all(each, true)",
    "object.metadata.labels.app > 1",
    "object.spec.terminationGracePeriodSeconds / 0 == 1",
    "[dyn(1), dyn('a')].sum() == 1",
    "object.?spec.?none.value() == 1",
    "object.metadata.name ? true : false",
)
"""Likewise; not tried on the API server."""
