"""Knows how a fault is answered: as a page to a browser, as a problem document to a program."""

from __future__ import annotations

import json
import logging

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kb.errors import SeeruleError
from query.web.answers import shown, volume_of, wants_html
from query.web.guard import TooSlow
from query.web.problem import MEDIA_TYPE, Choice, Problem, problem_of, problem_of_status

LOG = logging.getLogger("seerule.web")
_BROKEN = "something went wrong here; the operator can find it in the log"
_PROGRAMS = ("/api/", "/graphs", "/graph/", "/openapi.json", "/health", "/ready", "/metrics")


async def seerule_fault(request: Request, error: Exception) -> Response:
    """The answer to a fault that the user can act on."""
    assert isinstance(error, SeeruleError)
    problem = problem_of(error)
    if problem.status >= 500:
        LOG.warning("fault", extra={"said": {"kind": type(error).__name__, "detail": str(error)}})
    return await told(request, problem)


async def http_fault(request: Request, error: Exception) -> Response:
    """The answer to a fault of the request itself: no such page, no such method."""
    assert isinstance(error, HTTPException)
    answer = await told(request, problem_of_status(error.status_code))
    answer.headers.update(error.headers or {})
    if "allow" in answer.headers:
        answer.headers["Allow"] = ", ".join(sorted(answer.headers["allow"].split(", ")))
    return answer


async def broken(request: Request, error: Exception) -> Response:
    """The answer to a fault of this program inside the API; it goes on to `LastResort`, which logs it."""
    return _document(problem_of_status(500, _BROKEN))


class LastResort:
    """Answers what nothing else has caught, a fault of this program: logged with its traceback, and to strangers only
    that there was one.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def sent(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, sent)
        except TooSlow:
            raise
        except Exception:
            LOG.exception("broken", extra={"said": {"path": scope["path"]}})
            if begun:
                raise  # the connection is broken off: what was sent is not the whole answer
            await _document(problem_of_status(500, _BROKEN))(scope, receive, send)


async def told(request: Request, problem: Problem) -> Response:
    """A fault as a page or as a problem document."""
    if not wants_html(request) or request.url.path.startswith(_PROGRAMS):
        return _document(problem)
    choices = [Choice(_label(request, choice), choice.address) for choice in problem.did_you_mean]
    answer = await shown(request, "problem.html", problem.status, problem=problem, choices=choices)
    return answer


def _label(request: Request, choice: Choice) -> str:
    """What a choice is called on a page: number and title rather than a bare key."""
    edition = volume_of(request).edition()
    if choice.label not in edition.keys:
        return choice.label
    named = edition.base.lookup.named(choice.label)
    return f"{named.title} (glossary)" if choice.label.startswith("term/") else str(named)


def _document(problem: Problem) -> Response:
    headers = {"Retry-After": str(problem.retry_after)} if problem.retry_after else {}
    body = json.dumps(problem.as_json(), ensure_ascii=False, default=vars).encode()
    return Response(body, problem.status, media_type=MEDIA_TYPE, headers=headers | {"Vary": "Accept"})
