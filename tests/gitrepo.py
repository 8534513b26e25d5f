"""Real git repositories for tests: fixed people and days, nothing of the machine's settings."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class GitRepo:
    """A repository in a folder; every commit comes a day after the one before."""

    root: Path
    day: int = field(default=1)

    @classmethod
    def make(cls, root: Path) -> GitRepo:
        """A new repository on the branch ``main``."""
        root.mkdir(parents=True, exist_ok=True)
        repo = cls(root)
        repo.git("init", "-q", "-b", "main")
        return repo

    def git(self, *arguments: str, who: str = "ana", fails: bool = False) -> str:
        """Run git; what it prints. With `fails` it must exit with an error."""
        stamp = f"2026-11-{min(self.day, 30):02d}T12:00:00Z"
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_AUTHOR_NAME": who,
            "GIT_AUTHOR_EMAIL": f"{who}@example.com",
            "GIT_COMMITTER_NAME": who,
            "GIT_COMMITTER_EMAIL": f"{who}@example.com",
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_DATE": stamp,
            "GIT_EDITOR": "true",
        }
        done = subprocess.run(
            ["git", "-c", "protocol.file.allow=always", *arguments],
            cwd=self.root,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, f"git {' '.join(arguments)}: {done.stderr}"
        return done.stdout + (done.stderr if fails else "")

    def commit(self, message: str = "change", *, who: str = "ana") -> str:
        """Commit everything that differs, empty commits too; its full name."""
        self.git("add", "-A", "-f", ".", who=who)
        self.git("commit", "-q", "--allow-empty", "-m", message, who=who)
        self.day += 1
        return self.head()

    def head(self) -> str:
        """Full name of the commit that is checked out."""
        return self.git("rev-parse", "HEAD").strip()

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Begin a branch and check it out."""
        self.git("checkout", "-q", "-b", name, start)

    def checkout(self, name: str) -> None:
        """Check something out."""
        self.git("checkout", "-q", name)
