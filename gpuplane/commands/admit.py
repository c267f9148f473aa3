"""`gpuplane admit`."""

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpuplane.exit_code import ExitCode
from gpuplane.platform_repository import repository_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from charts_py.admission.manifest_file import ManifestObject
    from charts_py.objects.document import Document
    from charts_py.spec.fault import Mark
    from policies.engine import Engine

STDIN = "-"


class Output(StrEnum):
    """What is printed."""

    YAML = "yaml"
    REVIEW = "review"


File = Annotated[
    str, typer.Argument(metavar="FILE", help=f"File of YAML or JSON; {STDIN} for stdin.")
]
Cluster = Annotated[str, typer.Option(help="Name of the cluster whose rules apply.")]
Namespace = Annotated[
    str | None,
    typer.Option(
        "--namespace", "-n", help="Namespace; by default the manifest's.", show_default=False
    ),
]
AsOutput = Annotated[Output, typer.Option("--output", "-o", help="What to print on stdout.")]


def admit(
    context: typer.Context,
    file: File,
    *,
    cluster: Cluster,
    namespace: Namespace = None,
    output: AsOutput = Output.YAML,
) -> None:
    """Show what the webhook of a cluster would do to the pods of a manifest.

    FILE holds Pods, workloads with pod templates, Lists of them, or AdmissionReviews. Each object
    that is admitted is printed as the rules leave it; their findings go to stderr. A denied object
    is not printed, and the exit code is then 1.

    ```console
    gpuplane admit job.yaml --cluster training | kubectl apply -f -
    kubectl get deployment api -o yaml | gpuplane admit - --cluster inference > fixed.yaml
    gpuplane admit pod.yaml --cluster training -o review   # the webhook's answer
    ```

    `-o review` prints what `/mutate` and then `/validate` answer for each pod, one
    AdmissionReview per line.
    """
    from charts_py.admission.cluster_engine import cluster_engine
    from charts_py.admission.manifest_file import read_manifest_file

    source = sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    objects = read_manifest_file(source, file)
    engine = cluster_engine(repository_of(context).clusters, cluster)
    admitted = [_admit(engine, one, namespace) for one in objects]
    for mark, sentence in (told for one in admitted for told in one.findings):
        typer.echo(f"{mark}: {sentence}", err=True)
    if output is Output.REVIEW:
        _print_answers(engine, admitted)
    else:
        _print_documents(admitted)
    if not all(one.allowed for one in admitted):
        raise typer.Exit(ExitCode.FINDINGS)


@dataclass(frozen=True, slots=True)
class _Admitted:
    findings: "Sequence[tuple[Mark, str]]"
    """Each with the line of its field."""
    document: "Document"
    allowed: bool
    reviews: "Sequence[Document]"
    """One for each of its pods."""


def _admit(engine: "Engine", one: "ManifestObject", namespace: str | None) -> _Admitted:
    from webhook.admission_request import KIND

    judge = _admit_review if one.document["kind"] == KIND else _admit_manifest
    return judge(engine, one, namespace)


def _admit_manifest(engine: "Engine", one: "ManifestObject", namespace: str | None) -> _Admitted:
    from policies.admission import Review
    from policies.manifest_admission import admit_manifest
    from webhook.admission_round import creation_of
    from webhook.reviewer import today

    admission = admit_manifest(engine, one.document, Review("default", today()), namespace)
    return _Admitted(
        [(one.mark_of(each.path), each.sentence) for each in admission.findings],
        admission.document,
        admission.allowed,
        [
            creation_of(each.pod.document, each.pod.namespace)
            for each in admission.pods
            if not each.pod.template.partial
        ],
    )


def _admit_review(engine: "Engine", one: "ManifestObject", namespace: str | None) -> _Admitted:
    from charts_py.spec.fault import Fault, Problem, SpecError
    from webhook.admission_round import admission_round
    from webhook.reviewer import Reviewer

    review = one.document
    if namespace is not None and isinstance(request := review.get("request"), dict):
        request["namespace"] = namespace
    done = admission_round(Reviewer(engine.settings), review)
    if done.malformed is not None:
        raise SpecError([Fault(one.mark, Problem((), done.malformed))])
    findings = [(one.mark_of(each.path), each.sentence) for each in done.findings]
    return _Admitted(findings, done.document, done.allowed, [review])


def _print_answers(engine: "Engine", admitted: "Sequence[_Admitted]") -> None:
    from webhook.admission_round import admission_round
    from webhook.reviewer import Reviewer

    reviewer = Reviewer(engine.settings)
    for review in (review for one in admitted for review in one.reviews):
        for answer in admission_round(reviewer, review).answers:
            typer.echo(answer.body)


def _print_documents(admitted: "Sequence[_Admitted]") -> None:
    from charts_py.objects.manifest_yaml import to_yaml

    documents = [one.document for one in admitted if one.allowed and one.document is not None]
    typer.echo("---\n".join(map(to_yaml, documents)), nl=False)
