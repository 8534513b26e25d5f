"""What stays although it could be an address or a secret."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from assay.redaction.addresses import same_address


def _never(text: str) -> bool:
    return False


@dataclass(frozen=True)
class Spared:
    """What is not replaced, since truth may ask for it or since it is no secret here."""

    addresses: bool = False
    """Keep all addresses."""
    listed: frozenset[str] = frozenset()
    """Addresses, and domains as ``@shop.io``, that stay; case does not matter."""
    fields: frozenset[str] = frozenset()
    """Names of fields whose values stay."""
    known_address: Callable[[str], bool] = field(default=_never)
    """Whether the repository's own cases and labels hold this address, in lower case."""
    known_value: Callable[[str], bool] = field(default=_never)
    """Whether they hold exactly this value."""

    def keeps_address(self, text: str) -> bool:
        """Whether an address stays."""
        if self.addresses:
            return True
        address = same_address(text)
        domain = "@" + address.rpartition("@")[2]
        return address in self.listed or domain in self.listed or self.known_address(address)

    def keeps_value(self, name: str, text: str) -> bool:
        """Whether a value that is a secret by the name of its field stays."""
        return name in self.fields or self.known_value(text)


def listed(entries: Iterable[str]) -> frozenset[str]:
    """Addresses and domains as `Spared` compares them."""
    return frozenset(same_address(entry.strip()) for entry in entries)


NOTHING = Spared()
"""Everything that is found is replaced."""
