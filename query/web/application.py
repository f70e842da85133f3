"""Knows the web application: every address, and what stands between the network and them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from kb.errors import SeeruleError
from query.web import (
    board_page,
    card_documents,
    cite_page,
    documents,
    faults,
    graph_store,
    ontology_documents,
    rendering,
    search_page,
    site_pages,
    sitemap,
    thing_documents,
)
from query.web.dated import Dated
from query.web.guard import Patience, SafeHeaders
from query.web.journal import Journal
from query.web.memory import share_freed_memory
from query.web.metrics import meters
from query.web.service_description import data_set_description
from query.web.setting import Setting
from query.web.shelf import Shelf
from query.web.sparql_endpoint import sparql

if TYPE_CHECKING:
    from fastapi import FastAPI

LOG = logging.getLogger("seerule.web")
Page = Callable[[Request], Awaitable[Response]]

PAGES: dict[str, Page] = {
    "/": site_pages.home,
    "/about": site_pages.about,
    "/api": site_pages.api,
    "/cr": documents.contents,
    "/cr.{form}": documents.contents,
    "/cr/{path:path}": documents.entry,
    "/term/{path}": documents.entry,
    "/glossary": documents.glossary,
    "/glossary.{form}": documents.glossary,
    "/card/{path:path}": card_documents.card,
    "/keyword/{path}": card_documents.keyword,
    "/ruling/{key}": card_documents.ruling,
    "/id/{kind}": thing_documents.thing,
    "/id/{kind}/{path:path}": thing_documents.thing,
    "/method/{path:path}": thing_documents.described,
    "/tag/{path:path}": thing_documents.described,
    "/format/{path:path}": thing_documents.described,
    "/ontology": ontology_documents.ontology,
    "/ontology.{form}": ontology_documents.ontology,
    "/ontology/{version}": ontology_documents.version,
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
    "/sitemap.xml": sitemap.index,
    "/sitemap/{name}.xml": sitemap.part,
    "/health": site_pages.health,
    "/ready": site_pages.ready,
    "/metrics": site_pages.metrics,
}
"""Every address that is no part of the JSON API, and what answers it."""

_HEAD_START = 0.5
"""Seconds that the first requests have to themselves, before everything is read ahead."""

_THREADS = 8
"""Threads that make answers: a page takes milliseconds, more would only hold memory and wait for each other."""

_POSTED = frozenset({"/board", "/cite", "/sparql", "/sparql/"})


class PageRoute(Route):
    """A route that tells which it is, as FastAPI's own do, for the journal."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """As `Route.matches`."""
        match, child = super().matches(scope)
        return match, {**child, "route": self} if match != Match.NONE else child


class Lending:
    """Lends each request the open store for as long as its answer takes."""

    def __init__(self, app: ASGIApp, site: Starlette) -> None:
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


class Later:
    """The JSON API, made when it is first asked for: what it is made with takes longer to read than all else."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._site: FastAPI | None = None

    @property
    def site(self) -> FastAPI:
        """The API."""
        with self._turn:
            if self._site is None:
                from query.web.api_site import api_site

                self._site = api_site()
            return self._site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        site = await run_in_threadpool(lambda: self.site)
        await site(scope, receive, send)


def application(setting: Setting) -> Starlette:
    """The application; its store is opened when it starts and closed when it stops."""
    api = Later()
    routes: list[BaseRoute] = [
        PageRoute(path, page, methods=["GET", "POST"] if path in _POSTED else ["GET"]) for path, page in PAGES.items()
    ]
    routes += [Route("/openapi.json", api), Route("/api/v1", api), Route("/api/v1/{path:path}", api)]
    handlers = {SeeruleError: faults.seerule_fault, HTTPException: faults.http_fault}
    site = Starlette(routes=routes, lifespan=_life, exception_handlers=handlers)
    site.state.setting, site.state.api = setting, api
    _surround(site, setting)
    return site


def _surround(site: Starlette, setting: Setting) -> None:
    """Puts around the application what every request passes through; the last is the outermost."""
    site.add_middleware(Dated)
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


@contextlib.asynccontextmanager
async def _life(site: Starlette) -> AsyncIterator[None]:
    setting: Setting = site.state.setting
    current_default_thread_limiter().total_tokens = _THREADS
    shelf = site.state.shelf = Shelf(setting)
    warming = asyncio.create_task(_warm(site, shelf, 0.0 if setting.wait_until_warm else _HEAD_START))
    if setting.wait_until_warm:
        await warming
    tasks = [warming, asyncio.create_task(_watch(shelf, setting.look_seconds))]
    LOG.info("serving", extra={"said": {"address": setting.address}})
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        shelf.close()
        LOG.info("stopped")


async def _warm(site: Starlette, shelf: Shelf, after: float) -> None:
    """Makes everything that answers are made with, while the first are given already."""
    await asyncio.sleep(after)
    with shelf.lease() as volume:
        await run_in_threadpool(rendering.warm)
        await run_in_threadpool(volume.warm)
        await run_in_threadpool(lambda: site.state.api.site.openapi())
        with contextlib.suppress(SeeruleError):  # an engine elsewhere may refuse to count everything
            await run_in_threadpool(lambda: volume.counts)
        if site.state.setting.warm_citing and not volume.outline:
            with contextlib.suppress(SeeruleError):  # a first question that fails is told to whoever asks the next
                await cite_page.cited(volume, volume.current, "Can a creature with flying block?", "", ())


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


def from_environment() -> Starlette:
    """The application as a serving process makes it."""
    share_freed_memory()
    return application(Setting.from_environment())
