"""Knows the pages that are about the site as a whole: home, about, the API's page, what machines look for."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from query.sparql.named import named_queries
from query.web import assets, schema_org
from query.web.addresses import document
from query.web.answers import kept, shown, volume_of
from query.web.metrics import MEDIA_TYPE, exposition
from query.web.passage import shortened
from query.web.rendering import page


async def home(request: Request) -> Response:
    """The first page: a search box, the sections, the most cited rules, what is loaded."""
    volume = volume_of(request)

    def make() -> bytes:
        edition = volume.edition()
        lookup = edition.base.lookup
        sections = sorted((lookup.named(key) for key in edition.keys if len(key) == 1), key=lambda named: named.key)
        hubs = edition.base.hubs(12)
        texts = {hub.entry.key: hub.entry.title or lookup.named(hub.entry.key, text=True).text or "" for hub in hubs}
        return page(
            "home.html",
            volume,
            sections=sections,
            hubs=hubs,
            said={key: shortened(text, 64) for key, text in texts.items()},
            queries=tuple(named_queries().values())[:6],
            counts=_counts(volume.edition().keys),
            document=document,
            told=schema_org.web_site(volume.site),
        )

    return await kept(request, "home", "text/html", make)


def _counts(keys: frozenset[str]) -> dict[str, int]:
    rules = sum("." in key for key in keys)
    terms = sum(key.startswith("term/") for key in keys)
    return {"rules": rules, "glossary entries": terms}


async def about(request: Request) -> Response:
    """What is loaded, from which files, with which findings; what the site conforms to; whose the texts are."""
    volume = volume_of(request)

    def make() -> bytes:
        held = {holding.edition: holding for holding in volume.holdings}
        cards = volume.description.about.get("cards") if volume.description else None
        shown = {"held": held, "shelved": volume.shelved[::-1], "cards": cards, "counts": volume.counts}
        told = schema_org.about_page(volume.site, volume.editions)
        return page("about.html", volume, here="/about", told=told, **shown)

    return await kept(request, "about", "text/html", make)


async def api(request: Request) -> Response:
    """The contract of the API as a page: Swagger's where its files are here, a plain list always."""
    said = await run_in_threadpool(lambda: request.app.state.api.site.openapi())

    def make() -> bytes:
        operations = [
            (path, method.upper(), operation)
            for path, methods in said["paths"].items()
            for method, operation in methods.items()
        ]
        return page("api.html", volume_of(request), operations=operations, here="/api")

    return await kept(request, "api", "text/html", make)


async def problem(request: Request) -> Response:
    """What a kind of problem means."""
    name = request.path_params["name"]
    return await shown(request, "problem_kind.html", name=name.replace("-", " "))


async def static(request: Request) -> Response:
    """A file that pages need; under an address with its hash it may be kept for ever."""
    found = assets.assets().get(request.path_params["path"])
    if found is None:
        return Response("there is no such file", 404, media_type="text/plain")
    fixed = request.query_params.get("v") == found.digest
    kept_for = "public, max-age=31536000, immutable" if fixed else "public, max-age=60"
    headers = {
        "Cache-Control": kept_for,
        "ETag": f'W/"{found.digest}"',
        "Content-Type": found.media_type,
        "Vary": "Accept-Encoding",
    }
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(found.gzipped, headers={**headers, "Content-Encoding": "gzip"})
    return Response(found.body, headers=headers)


async def robots(request: Request) -> Response:
    """What crawlers may fetch."""
    site = request.app.state.setting.address
    said = f"User-agent: *\nDisallow: /sparql\nDisallow: /api/\nDisallow: /graphs\nSitemap: {site}/sitemap.xml\n"
    return Response(said, media_type="text/plain")


async def health(request: Request) -> Response:
    """Whether the process lives."""
    return Response("ok\n", media_type="text/plain", headers={"Cache-Control": "no-store"})


async def ready(request: Request) -> Response:
    """Whether the process can answer: its store is open, and which build that is."""
    volume = volume_of(request)
    if not await run_in_threadpool(lambda: volume.edition().keys):
        return Response("the store is empty\n", 503, media_type="text/plain")
    said = f"ready: edition {volume.current}, version {volume.version}\n"
    return Response(said, media_type="text/plain", headers={"Cache-Control": "no-store"})


async def metrics(request: Request) -> Response:
    """The meters, for Prometheus."""
    body = await run_in_threadpool(exposition)
    return Response(body, headers={"Content-Type": MEDIA_TYPE, "Cache-Control": "no-store"})


async def void(request: Request) -> Response:
    """Where machines look for the description of the data set (RFC 8615)."""
    return RedirectResponse("/void", 303)
