from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gpuplane.commands.arguments import Namespace, Quiet
from gpuplane.commands.named_clusters import ForCluster
from gpuplane.errors import ExitCode
from gpuplane.json_output import ReportKind, print_report
from gpuplane.platform_repository import repository_of
from gpuplane.terminal import print_document, print_styled, read_stdin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gpuplane.admission.manifest_file import ManifestObject
    from gpuplane.admission.object_admission import ObjectAdmission
    from policies.settings import Settings


_WRONG = ("denied", "failed")
"""Effects of findings that are shown in any case."""
_STYLES = {"denied": "red", "failed": "bold red", "fixed": "green", "warned": "yellow"}


def admit(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="Files of YAML or JSON; folders, with all that is in them; - for stdin.",
        ),
    ],
    *,
    cluster: ForCluster = "",
    namespace: Namespace = None,
    skip_denied: Annotated[
        bool,
        typer.Option("--skip-denied", help="Print the admitted objects though others are denied."),
    ] = False,
    quiet: Quiet = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Name the objects without findings, too.")
    ] = False,
    output: Annotated[
        Literal["yaml", "json", "review"], typer.Option("--output", "-o", help="What to print.")
    ] = "yaml",
) -> None:
    """Show what admission does; `gpuplane lint` finds more.

    ```console
    gpuplane admit job.yaml -c training | kubectl apply -f -
    gpuplane admit manifests/ -c training > /dev/null    # the findings alone
    kubectl get deployment api -o yaml | gpuplane admit - > fixed.yaml
    gpuplane admit pod.yaml -c training -o review        # the webhook's answer
    ```

    What is admitted may still be wrong: fields, API versions, queues and quotas are for the linter
    to judge.

    A FILE holds Pods, workloads with pod templates, Lists of them, or AdmissionReviews. Of a folder
    that is every `*.yaml`, `*.yml` and `*.json` below it, apart from what begins with a dot, and
    what is no manifest, such as a template or the values of a chart. The objects are printed as the
    rules leave them; the findings go to stderr. Where one is denied, the exit code is 1 and none is
    printed, so that nothing is applied by half. Jobs that other clusters run for this one meet
    their rules, and stay as they are.
    What a policy of the API server says of another object is found under its name.

    `-o json` prints an `Admission` of `{cluster, allowed, items: [{file, line, object: {apiVersion,
    kind, namespace, name}, allowed, findings: [{line, effect, rule, pointer, message, remedy}],
    admitted}]}`, where `admitted` is the object as the rules leave it, and null if it is denied.
    `-o review` prints what `/mutate` and then `/validate` answer for each pod, one
    AdmissionReview per line.
    """
    from charts_py.objects.manifest_yaml import to_yaml
    from gpuplane.admission.loaded_rules import cluster_rules
    from gpuplane.admission.manifest_sources import read_sources
    from gpuplane.admission.object_admission import admission_notes, read_objects
    from gpuplane.admission.review_admission import admit_object_or_review
    from gpuplane.lint.placeholders import placeholder_notes
    from gpuplane.lint.unread_gpus import refused_shares

    rules = cluster_rules(repository_of(context).clusters, cluster)
    sources, foreign = read_sources(files, read_stdin)
    objects, passed_over = read_objects(sources)
    shares = refused_shares(objects, rules.engine)
    notes = [*foreign, *passed_over, *placeholder_notes(objects), *shares]
    admitted = [admit_object_or_review(rules, one, namespace) for one in objects]
    _print_findings(admitted, quiet=quiet, verbose=verbose)
    if not quiet:
        for note in (*notes, *admission_notes(admitted, rules.engine.settings, cluster)):
            print_styled(f"note: {note}", err=True)
    allowed = all(one.allowed for one in admitted)
    if output == "review":
        _print_answers(rules.engine.settings, objects, admitted, quiet=quiet)
    elif output == "json":
        items = [one.fields() for one in admitted]
        fields = {"cluster": cluster, "allowed": allowed, "items": items}
        print_report(ReportKind.ADMISSION, fields)
    elif allowed or skip_denied:
        documents = [one.document for one in admitted if one.allowed and one.document is not None]
        print_document("---\n".join(map(to_yaml, documents)))
    elif (denied := sum(not one.allowed for one in admitted)) < len(admitted):
        verb = "is" if denied == 1 else "are"
        withheld = f"nothing is printed, since {denied} of {len(admitted)} objects {verb} denied"
        print_styled(f"{withheld}; --skip-denied prints the others", err=True)
    if not allowed:
        raise typer.Exit(ExitCode.FINDINGS)


def _print_findings(admitted: "Sequence[ObjectAdmission]", *, quiet: bool, verbose: bool) -> None:
    for one in admitted:
        for finding in one.findings:
            if not quiet or finding.effect in _WRONG:
                line = f"{finding.mark}: {finding.sentence}"
                print_styled(line, _STYLES.get(finding.effect), err=True)
        if verbose and not one.findings:
            what = "nothing found" if one.is_judged else "not judged"
            print_styled(f"{one.mark}: {one.subject}: {what}", err=True)


def _print_answers(
    settings: "Settings",
    objects: "Sequence[ManifestObject]",
    admitted: "Sequence[ObjectAdmission]",
    *,
    quiet: bool,
) -> None:
    from gpuplane.admission.review_admission import reviews_of
    from webhook.admission_round import admission_round
    from webhook.reviewer import Reviewer

    reviewer = Reviewer(settings)
    for one, admission in zip(objects, admitted, strict=True):
        reviews = reviews_of(one, admission)
        if not reviews and not quiet:
            needed = "-o review needs pods as a whole, as in a Pod or a Deployment"
            said = f"states no whole pod that a webhook could be asked about; {needed}"
            print_styled(f"note: {one.mark}: {admission.subject}: {said}", err=True)
        for review in reviews:
            for answer in admission_round(reviewer, review).answers:
                print_document(f"{answer.body.decode()}\n")
