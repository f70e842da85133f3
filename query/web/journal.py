"""Knows how a server tells what it does: one JSON object a line, one line a request, and every request counted."""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from query.web.guard import TooSlow
from query.web.metrics import meters

LOG = logging.getLogger("seerule.web")


class JsonLines(logging.Formatter):
    """A record as one line of JSON; what it was given as `extra={"said": {...}}` becomes members of the object."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03}Z"
        said: dict[str, Any] = {"time": at, "level": record.levelname.lower(), "event": record.getMessage()}
        said |= getattr(record, "said", {})
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)


def log_config(level: str = "INFO") -> dict[str, Any]:
    """The configuration of logging for server and application: JSON lines to standard error."""
    quiet = {"handlers": ["lines"], "level": "WARNING", "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": JsonLines}},
        "handlers": {"lines": {"class": "logging.StreamHandler", "formatter": "lines", "stream": "ext://sys.stderr"}},
        "loggers": {
            "seerule.web": {"handlers": ["lines"], "level": level, "propagate": False},
            "uvicorn": quiet,
            "uvicorn.error": quiet,
        },
    }


class Journal:
    """Writes a line for each request, and counts it by the pattern of its route."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, method, status, size = time.perf_counter(), scope["method"], 500, 0

        async def sent(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
            size += len(message.get("body", b""))
            await send(message)

        with meters().running.track_inprogress():
            try:
                await self.app(scope, receive, sent)
            except TooSlow:
                status = 408  # the client no longer takes its answer; the server hangs up
                LOG.warning("a client was too slow and was cut off")
            finally:
                self._note(scope, method, status, size, time.perf_counter() - began)

    def _note(self, scope: Scope, method: str, status: int, size: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "none")
        meters().requests.labels(route, method, str(status)).inc()
        meters().seconds.labels(route).observe(seconds)
        said = {
            "method": method,
            "path": scope["path"],
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 2),
            "bytes": size,
            "client": (scope.get("client") or ("",))[0],
        }
        LOG.info("request", extra={"said": said})
