"""Knows the web application: every address, and what stands between the network and them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from kb.errors import SeeruleError
from query.web import (
    answering_api,
    api,
    board_page,
    card_documents,
    cite_page,
    documents,
    faults,
    graph_store,
    rendering,
    search_page,
    site_pages,
)
from query.web.contract import ProblemAnswer
from query.web.guard import Patience, SafeHeaders
from query.web.journal import Journal
from query.web.metrics import meters
from query.web.service_description import data_set_description
from query.web.setting import Setting
from query.web.shelf import Shelf
from query.web.sparql_endpoint import sparql

LOG = logging.getLogger("seerule.web")
Page = Callable[[Request], Awaitable[Response]]

PAGES: dict[str, Page] = {
    "/": site_pages.home,
    "/about": site_pages.about,
    "/api": site_pages.api,
    "/cr": documents.contents,
    "/cr/{path:path}": documents.entry,
    "/term/{path}": documents.entry,
    "/glossary": documents.glossary,
    "/card/{path:path}": card_documents.card,
    "/keyword/{path}": card_documents.keyword,
    "/ruling/{key}": card_documents.ruling,
    "/id/{kind}/{path:path}": documents.thing,
    "/search": search_page.search,
    "/cite": cite_page.cite,
    "/board": board_page.board,
    "/sparql": sparql,
    "/sparql/": sparql,
    "/graphs": graph_store.graphs,
    "/graph/{path:path}": graph_store.graph,
    "/void": data_set_description,
    "/.well-known/void": site_pages.void,
    "/problem/{name}": site_pages.problem,
    "/static/{path:path}": site_pages.static,
    "/robots.txt": site_pages.robots,
    "/sitemap.xml": site_pages.sitemap,
    "/health": site_pages.health,
    "/ready": site_pages.ready,
    "/metrics": site_pages.metrics,
}
"""Every address that is no part of the JSON API, and what answers it."""

_POSTED = frozenset({"/board", "/cite", "/sparql", "/sparql/"})


class PageRoute(Route):
    """A route that tells which it is, as FastAPI's own do, for the journal."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As `Route.matches`."""
        match, child = super().matches(scope)
        return match, {**child, "route": self} if match != Match.NONE else child


class Lending:
    """Lends each request the open store for as long as its answer takes."""

    def __init__(self, app: ASGIApp, site: FastAPI) -> None:
        self.app, self.site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        shelf: Shelf = self.site.state.shelf
        with shelf.lease() as volume:
            scope.setdefault("state", {})["volume"] = volume
            await self.app(scope, receive, send)


def application(setting: Setting) -> FastAPI:
    """The application; its store is opened when it starts and closed when it stops."""
    site = FastAPI(
        title="seerule",
        summary="The rules of Magic: The Gathering as a graph.",
        version="1",
        docs_url=None,
        redoc_url=None,
        lifespan=_life,
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    site.state.setting = setting
    for path, page in PAGES.items():
        methods = ["GET", "POST"] if path in _POSTED else ["GET"]
        site.router.routes.append(PageRoute(path, page, methods=methods, include_in_schema=False))
    site.include_router(api.router)
    site.include_router(answering_api.router)
    site.add_exception_handler(SeeruleError, faults.seerule_fault)
    site.add_exception_handler(HTTPException, faults.http_fault)
    site.add_exception_handler(RequestValidationError, faults.invalid)
    _describe(site)
    _surround(site, setting)
    return site


def _surround(site: FastAPI, setting: Setting) -> None:
    """Puts around the application what every request passes through; the last is the outermost."""
    site.add_middleware(Lending, site=site)
    site.add_middleware(faults.LastResort)
    site.add_middleware(Patience, setting=setting)
    site.add_middleware(
        CORSMiddleware,
        allow_origins=["*"],
        allow_methods=["GET", "HEAD", "POST"],
        allow_headers=["Accept", "Content-Type"],
        expose_headers=["Content-Location", "ETag", "Link", "Retry-After"],
        max_age=86400,
    )
    site.add_middleware(SafeHeaders)
    site.add_middleware(Journal)


def _describe(site: FastAPI) -> None:
    """Puts the form of problems into the contract, in which no route declares it as its own answer."""
    made = site.openapi

    def described() -> dict[str, object]:
        if site.openapi_schema is None:
            said = made()
            schema = ProblemAnswer.model_json_schema(ref_template="#/components/schemas/{model}")
            said["components"]["schemas"] |= {**schema.pop("$defs", {}), "ProblemAnswer": schema}
            site.openapi_schema = said
        return site.openapi_schema

    site.openapi = described  # type: ignore[method-assign]


@contextlib.asynccontextmanager
async def _life(site: FastAPI) -> AsyncIterator[None]:
    setting: Setting = site.state.setting
    shelf = site.state.shelf = Shelf(setting)
    tasks = [asyncio.create_task(_watch(shelf, setting.look_seconds))]
    if setting.warm:
        tasks.append(asyncio.create_task(_warm(shelf)))
    LOG.info("serving", extra={"said": {"address": setting.address}})
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        shelf.close()
        LOG.info("stopped")


async def _warm(shelf: Shelf) -> None:
    with shelf.lease() as volume:
        await run_in_threadpool(volume.warm)
        await run_in_threadpool(rendering.warm)


async def _watch(shelf: Shelf, seconds: float) -> None:
    """Looks for a rebuilt store again and again, and answers from it when there is one."""
    while True:
        await asyncio.sleep(seconds)
        try:
            if await run_in_threadpool(shelf.outdated):
                await run_in_threadpool(shelf.renew)
                meters().renewals.inc()
                LOG.info("a rebuilt store is open")
        except (SeeruleError, OSError) as error:
            LOG.warning("the rebuilt store cannot be opened", extra={"said": {"detail": str(error)}})


def from_environment() -> FastAPI:
    """The application as a serving process makes it."""
    return application(Setting.from_environment())
