"""What an import does not replace: what the repository's own cases and labels hold already.

To hide in a run what stands in its case would protect nobody, and no label that asks for it could
be met any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from assay.errors import AssayError
from assay.files.reading import parse_json, read_text
from assay.files.yamls import read_yaml
from assay.ledger import layout
from assay.models.base import JsonValue
from assay.models.params import Params
from assay.redaction import Spared
from assay.redaction.addresses import addresses, same_address
from assay.redaction.sparing import listed


class Held:
    """Addresses and texts in the cases and labels of a suite; read when first asked for."""

    def __init__(self, files: list[Path]) -> None:
        self._files = files

    def address(self, text: str) -> bool:
        """Whether an address, in lower case, stands there."""
        return text in self._addresses

    def value(self, text: str) -> bool:
        """Whether a text stands there as a whole value."""
        return text in self._values

    @cached_property
    def _texts(self) -> list[str]:
        found: list[str] = []
        for path in self._files:
            try:
                found.append(read_text(path))
            except AssayError:
                continue  # The check says what is wrong with it.
        return found

    @cached_property
    def _addresses(self) -> frozenset[str]:
        return frozenset(
            same_address(text[hit.start : hit.end])
            for text in self._texts
            for hit in addresses(text)
        )

    @cached_property
    def _values(self) -> frozenset[str]:
        found: set[str] = set()
        for text in self._texts:
            try:
                found.update(_strings(parse_json(text, name="")))
            except AssayError:
                continue
        return frozenset(found)


def _strings(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def spared_of(cases: Path | None, suite: str, *, keep_addresses: bool = False) -> Spared:
    """What an import into a suite does not replace.

    Args:
        cases: folder of suites of cases; the repository that it lies in has the labels and
            ``params.yaml``, whose section ``redaction`` lists what else stays.
        suite: the suite.
        keep_addresses: keep all addresses.

    Raises:
        InputError: ``params.yaml`` is wrong.
    """
    if cases is None:
        return Spared(addresses=keep_addresses)
    root = layout.find_root(cases.absolute()) or cases.absolute().parent
    files = sorted((cases / suite).glob(f"*{layout.EVAL_SET_SUFFIX}"))
    stays, fields = frozenset[str](), frozenset[str]()
    files += sorted((root / layout.RECORDS / suite).glob("*.json"))
    if (root / layout.PARAMS).is_file():
        params = read_yaml(root / layout.PARAMS, name=layout.PARAMS).require(Params)
        stays, fields = listed(params.redaction.keep), frozenset(params.redaction.keep_fields)
    held = Held(files)
    return Spared(keep_addresses, stays, fields, held.address, held.value)
