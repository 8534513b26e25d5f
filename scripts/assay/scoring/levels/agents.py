"""Whether a call was made by the agent, or through the server, that a step names."""

from __future__ import annotations

from assay.ledger.toolnames import ToolNames
from assay.scoring.levels.paths import folded
from assay.scoring.matchers import Answer
from assay.scoring.observed import SeenCall, SeenRun

_KINDS = ("agent", "server", "mcp")


def short(name: str) -> str:
    """A name without case, signs and what kind of thing it names: ``IoTAgent`` is ``iot``."""
    bare = folded(name).replace("_", "")
    for kind in _KINDS:
        if bare != kind:
            bare = bare.removesuffix(kind)
    return bare


class Agents:
    """The agents and servers that a run and the catalogue name."""

    def __init__(self, seen: SeenRun) -> None:
        """Collect them."""
        self.names: ToolNames = seen.names
        servers = {tool.server for tool in seen.names.tools if tool.server}
        servers |= {call.call.server for call in seen.calls if call.call.server}
        self.known = frozenset(map(short, servers))
        self._answers: dict[tuple[str, str | None, tuple[str, ...]], Answer] = {}

    def of(self, call: SeenCall) -> frozenset[str]:
        """Short names of the server that offers a call's tool, by the run or the catalogue."""
        if call.call.server:
            return frozenset({short(call.call.server)})
        found = set()
        for name in call.names:
            tool = self.names.tool(name)
            if tool is not None and tool.server:
                found.add(short(tool.server))
        return frozenset(found)

    def agree(self, agent: str, call: SeenCall) -> Answer:
        """Whether a call is the step's agent's; None where nothing tells.

        An agent that no server is called after may use any of them.
        """
        key = (agent, call.call.server, call.names)
        if key not in self._answers:
            self._answers[key] = self._agree(agent, call)
        return self._answers[key]

    def _agree(self, agent: str, call: SeenCall) -> Answer:
        wanted, offered = short(agent), self.of(call)
        if not offered:
            return None
        if wanted in offered:
            return True if len(offered) == 1 else None
        return False if wanted in self.known else None
