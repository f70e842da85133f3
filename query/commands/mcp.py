"""Knows the command `mcp`: the tools for chat assistants, over standard input and output or over HTTP."""

from __future__ import annotations

from functools import partial

import click

from query.commands.options import edition_option, home_option, settings


@click.command()
@click.option("--http", is_flag=True, help="Serve over HTTP at /mcp instead of standard input and output.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="The port for --http.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on for --http.")
@home_option
@edition_option
def mcp(http: bool, port: int, host: str) -> None:
    """Give a chat assistant tools: show, search, follow, cite, ask, card.

    A client starts this command itself: {"command": "seerule", "args": ["mcp"]}.
    """
    try:
        from query.mcp import server
    except ImportError as missing:
        raise click.ClickException(f"the tools need {missing.name}: pip install 'seerule[mcp]'") from missing
    from query.knowledge_base import KnowledgeBase

    chosen = settings()
    tools = server(partial(KnowledgeBase.open, chosen["home"], chosen["edition"]))
    if http:
        click.echo(f"seerule: tools at http://{host}:{port}/mcp (stop with Ctrl+C)", err=True)
        tools.run("streamable-http", host=host, port=port, stateless_http=True, json_response=True)
    else:
        tools.run("stdio")
