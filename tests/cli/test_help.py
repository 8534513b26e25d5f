"""Every command's help: an example that can be typed as it stands, and nothing cut off."""

from __future__ import annotations

import re
import shlex

import click
import pytest

from assay.cli.main import assay as main


def _walk(
    command: click.Command, path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], click.Command]]:
    found = [(path, command)]
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            assert inner is not None
            found += _walk(inner, (*path, name))
    return found


ALL = _walk(main, ())


@pytest.mark.parametrize(
    ("path", "command"), ALL, ids=[" ".join(path) or "assay" for path, _ in ALL]
)
def test_the_example_can_be_typed(path: tuple[str, ...], command: click.Command) -> None:
    text = command.get_help(
        click.Context(command, info_name=" ".join(("assay", *path)), terminal_width=80)
    )
    assert "..." not in re.sub(r"\[?[A-Z]+\]?\.\.\.", "", text), "a sentence is cut off"
    _, mark, example = text.partition("Example:")
    assert mark
    lines = example.strip().split("\n")
    assert all(line.endswith("\\") for line in lines[:-1]), "the example is broken over lines"
    words = shlex.split(example.replace("\\\n", " "))
    assert words[0] == "assay"
    assert tuple(words[1 : 1 + len(path)]) == path
    inner: click.Command = main
    while isinstance(inner, click.Group):
        found = inner.get_command(click.Context(inner), words[1])
        assert found is not None
        inner, words = found, words[1:]
    inner.make_parser(click.Context(inner)).parse_args(words[1:])
