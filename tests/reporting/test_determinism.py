from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_other_seeds_zones_and_locales_give_the_same_bytes() -> None:
    digests = set()
    for seed, zone, locale in (("0", "UTC", "C"), ("4711", "Asia/Kathmandu", "tr_TR.UTF-8")):
        done = subprocess.run(
            [sys.executable, "-m", "tests.reporting.everything"],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": f"{ROOT / 'scripts'}{os.pathsep}{ROOT}",
                "PYTHONHASHSEED": seed,
                "TZ": zone,
                "LC_ALL": locale,
            },
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(done.stdout)
    assert len(digests) == 1
