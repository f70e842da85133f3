"""Knows the command `serve`: the site on this machine, in one process or several."""

from __future__ import annotations

import click

from query.commands.options import home_option, settings


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port to listen on.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on; 0.0.0.0 for everyone.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes serve.")
@click.option("--address", metavar="URL", help="The public address of the site, by which it names itself.")
@click.option("--query-timeout", type=click.FloatRange(0.1, 600), metavar="SECONDS", help="End a SPARQL query after.")
@click.option("--queries", type=click.IntRange(1, 64), help="How many SPARQL queries each process runs at once.")
@click.option("--patience", type=click.FloatRange(0.1, 600), metavar="SECONDS", help="Cut off a client slower than.")
@home_option
def serve(
    port: int,
    host: str,
    workers: int,
    address: str | None,
    query_timeout: float | None,
    queries: int | None,
    patience: float | None,
) -> None:
    """Serve pages, JSON API and SPARQL endpoint from the store, until interrupted.

    A store that is rebuilt while it is served takes the old one's place without a request being lost. With --home URL
    the rules come from a SPARQL engine elsewhere.
    """
    try:
        from query.web.server import run
        from query.web.setting import Setting
    except ImportError as missing:
        raise click.ClickException(f"serving needs {missing.name}: pip install 'seerule[web]'") from missing
    limits = {"query_seconds": query_timeout, "queries": queries, "patience": patience}
    given = {name: value for name, value in limits.items() if value is not None}
    named = address or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    run(Setting(store=settings()["home"], address=named.rstrip("/"), **given), host, port, workers)  # type: ignore[arg-type]
