"""Prints a digest of every text that this room can make: run in processes that differ."""

from __future__ import annotations

import hashlib
import sys

from assay.reporting import findings, html, plots, scoreboard, why
from tests.reporting import examples as e
from tests.reporting.many import many, report


def everything() -> str:
    suite = many(12, trials=2)
    board = scoreboard.board(report(suite).board_input())
    lines = [line for line in e.refund_lines() if line.case_id == "refund-0142"]
    explanation = why.WhyInput(
        suite="shop",
        case_id="refund-0142",
        run="hasty",
        case=e.CASES[0],
        revisions=e.RECORDS["refund-0142"],
        result=e.HASTY_0142,
        observed=e.OBSERVED_HASTY,
        peers=lines,
    )
    texts = [
        *(
            findings.render(name, e.findings(), today=e.TODAY, explanations=e.EXPLANATIONS)
            for name in findings.FORMATS
        ),
        scoreboard.text(board),
        scoreboard.json_text(board),
        why.text(explanation),
        why.json_text(explanation),
        plots.rates_csv(suite.results),
        plots.slices_csv(suite.results),
        *html.render(report(suite)).values(),
    ]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


if __name__ == "__main__":
    sys.stdout.write(everything())
