"""Knows how pages that are about no single rule speak to search engines, in the words of schema.org."""

from __future__ import annotations

from typing import Any

from kb.vocabulary import SCHEMA_ORG


def web_site(site: str) -> dict[str, Any]:
    """The site, and how it is searched.

    >>> web_site("https://rules.test")["potentialAction"]["target"]["urlTemplate"]
    'https://rules.test/search?q={search_term_string}'
    """
    search = {"@type": "EntryPoint", "urlTemplate": f"{site}/search?q={{search_term_string}}"}
    return _of(
        "WebSite",
        site,
        "/",
        "seerule: the rules of Magic as a graph",
        potentialAction={
            "@type": "SearchAction",
            "target": search,
            "query-input": "required name=search_term_string",
        },
    )


def about_page(site: str, dates: tuple[str, ...]) -> dict[str, Any]:
    """The page about the site, whose subject is the data set."""
    data_set = _of("Dataset", site, "/void", "The Comprehensive Rules as a graph", version=dates[-1])
    return _of("AboutPage", site, "/about", "About seerule", mainEntity=data_set)


def contents(site: str, address: str, date: str, parts: list[str]) -> dict[str, Any]:
    """An edition and its sections."""
    return _of(
        "Legislation",
        site,
        address,
        f"Magic: The Gathering Comprehensive Rules, {date}",
        legislationDateVersion=date,
        hasPart=[{"@type": "Legislation", "name": name} for name in parts],
    )


def glossary(site: str, address: str, date: str) -> dict[str, Any]:
    """The glossary of an edition."""
    return _of("DefinedTermSet", site, address, f"Glossary of the Magic rules, {date}", version=date)


def keyword(site: str, address: str, name: str, number: str, said: str) -> dict[str, Any]:
    """A keyword as a term that a rule defines."""
    return _of("DefinedTerm", site, address, name, termCode=f"CR {number}", description=said)


def card(site: str, address: str, name: str, said: str) -> dict[str, Any]:
    """A card, which is a thing of the game; its picture and price are no matter of this site."""
    return _of("CreativeWork", site, address, name, description=said, genre="trading card game")


def _of(kind: str, site: str, address: str, name: str, **said: Any) -> dict[str, Any]:
    url = f"{site}{address}"
    whole = {"@context": SCHEMA_ORG, "@type": kind, "@id": url, "url": url, "name": name, "inLanguage": "en"}
    return whole | {key: value for key, value in said.items() if value}
