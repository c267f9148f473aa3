from pathlib import Path

from charts_py.lint.fixed_file import FixedFile, write_fixed
from charts_py.lint.lint_source import LintSource


def test_a_diff_keeps_the_ends_of_lines_and_tells_of_a_missing_one() -> None:
    source = LintSource("a.yaml", b"a: 1\r\nb: 2")
    assert "".join(FixedFile(source, b"a: 1\r\nb: 2\r\nc: 3\r\n").diff()) == (
        "--- a.yaml\n"
        "+++ a.yaml\n"
        "@@ -1,2 +1,3 @@\n"
        " a: 1\r\n"
        "-b: 2\n"
        "\\ No newline at end of file\n"
        "+b: 2\r\n"
        "+c: 3\r\n"
    )


def test_what_changes_is_written_and_nothing_else(tmp_path: Path) -> None:
    files = []
    for name, after in (("a.yaml", b"a: 1\n"), ("below/a.yaml", b"a: 2\n")):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"a: 1\n")
        files.append(FixedFile(LintSource(str(path), b"a: 1\n"), after))
    (tmp_path / "a.yaml").write_bytes(b"changed since\n")
    write_fixed(files)
    assert [Path(each.source.shown_as).read_bytes() for each in files] == [
        b"changed since\n",
        b"a: 2\n",
    ]


def test_nothing_is_written_where_nothing_changes() -> None:
    write_fixed([FixedFile(LintSource("no-such-file.yaml", b""), b"")])
