"""An attribute that is computed when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - used as a decorator, like `functools.cached_property`
    """`functools.cached_property` without the lock that it takes up to Python 3.11.

    Scoring makes a handful of such attributes for each run, and the lock costs more than most
    of them. Two threads may compute the same value twice; it is the same value.
    """

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> lazy[T]: ...

    @overload
    def __get__(self, owner: object, kind: type) -> T: ...

    def __get__(self, owner: object, kind: type) -> lazy[T] | T:
        if owner is None:
            return self
        value = self._compute(owner)
        owner.__dict__[self._name] = value
        return value
