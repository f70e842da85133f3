"""Knows which addresses may be fetched, where a redirect may lead, and how the file behind an address is called."""

from __future__ import annotations

import re
import string
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

from ingest.download_errors import BadAddress, BadRedirect

_SAFE = "/?%:@!$&'()*+,;=~-._"
_LONGEST_NAME = 100


def web_address(given: str) -> str:
    """An http or https address in the one form that is asked for and compared; raises `BadAddress`.

    >>> web_address("HTTPS://Media.Wizards.com/2026/downloads/MagicCompRules 20260925.txt#top")
    'https://media.wizards.com/2026/downloads/MagicCompRules%2020260925.txt'
    """
    shown = re.sub("//[^/?#]*@", "//", given)  # an address may be shown, a password in it may not
    try:
        parts = urlsplit(given.strip())
        host, port = parts.hostname or "", parts.port
        host = host.encode("idna").decode() if not host.isascii() else host
    except ValueError as error:  # a UnicodeError of the host's name is one too
        raise BadAddress(shown, f"this is no web address ({error})") from error
    if parts.scheme not in ("http", "https") or not host:
        raise BadAddress(shown, "this is no web address")
    if "@" in parts.netloc:
        raise BadAddress(shown, "an address with a user name or password is not fetched")
    if quote(host, safe=_SAFE) != host:
        raise BadAddress(shown, "this is no web address (no host is called so)")
    place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port is not None else "")
    return urlunsplit((parts.scheme, place, quote(parts.path, _SAFE) or "/", quote(parts.query, _SAFE), ""))


def moved(address: str, location: str) -> str:
    """Where a redirect from `address` leads; raises `BadRedirect` for anything but http and https, and where a
    secure connection would become an open one.

    `location` is the header as received, relative or absolute.

    >>> moved("https://example.org/a/b.txt", "../c.txt")
    'https://example.org/c.txt'
    """
    if not location:
        raise BadRedirect(address, "the server sends elsewhere without saying where")
    as_sent = quote(location.strip(), safe=string.punctuation, encoding="latin-1")
    try:
        target = web_address(urljoin(address, as_sent))
    except ValueError as error:  # of urljoin
        raise BadRedirect(address, "the server sends to what is no address") from error
    except BadAddress as error:
        raise BadRedirect(address, f"the server sends to {error.address}, not followed: {error.reason}") from error
    if address.startswith("https:") and not target.startswith("https:"):
        raise BadRedirect(address, f"the server sends from a secure connection to an open one, {target}")
    return target


def file_name(address: str) -> str:
    """The name of the file at an address, fit to be a file's name here.

    >>> file_name("https://example.org/2026/MagicCompRules%2020260925.txt?x=1")
    'MagicCompRules 20260925.txt'
    >>> file_name("https://example.org/")
    'download'
    """
    name = unquote(urlsplit(address).path.rpartition("/")[2]).replace("/", "_").replace("\\", "_")
    kept = "".join(sign for sign in name if sign.isprintable() and sign != "\ufffd").strip(" .")
    return kept[-_LONGEST_NAME:].strip(" .") or "download"
