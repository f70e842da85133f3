"""Knows what is counted of a running server, for Prometheus, over all of its processes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SHARED = "PROMETHEUS_MULTIPROC_DIR"
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


@dataclass(frozen=True, slots=True)
class Meters:
    """The meters of this process."""

    registry: CollectorRegistry
    requests: Counter
    seconds: Histogram
    running: Gauge
    renewals: Counter


@cache
def meters() -> Meters:
    """The meters, made when first needed."""
    registry = CollectorRegistry()
    return Meters(
        registry,
        Counter("seerule_requests", "Requests answered.", ["route", "method", "status"], registry=registry),
        Histogram("seerule_request_seconds", "Time to answer.", ["route"], registry=registry, buckets=_BUCKETS),
        Gauge("seerule_requests_running", "Requests being answered.", registry=registry, multiprocess_mode="livesum"),
        Counter(
            "seerule_store_renewals", "Times that a rebuilt store took the place of an older one.", registry=registry
        ),
    )


def exposition() -> bytes:
    """Every meter in Prometheus' text format; of all processes, where several serve."""
    if SHARED not in os.environ:
        return generate_latest(meters().registry)
    everywhere = CollectorRegistry()
    MultiProcessCollector(everywhere)  # type: ignore[no-untyped-call]
    return generate_latest(everywhere)
