"""Files of cards and rulings: every format that people have, what of them is broken, and what is refused."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.cards import Collection, read_cards, read_rulings
from ingest.records import UnreadableRecords
from kb.card import Legality, name_key
from kb.errors import SeeruleError
from tests.card_files import (
    ALL_CARDS,
    ATOMIC,
    SCRYFALL,
    SCRYFALL_RULINGS,
    cards_by_name,
    collection,
    needs_cards,
    whole_collection,
)
from tests.tables import table

CARD = {"object": "card", "name": "Ann", "oracle_id": "0-1", "layout": "normal", "oracle_text": "Draw.", "cmc": 2.0}
RULING = {"object": "ruling", "oracle_id": "0-1", "source": "wotc", "published_at": "2020-01-31", "comment": "Yes."}


def array(records: list[str]) -> bytes:
    return ("[\n" + ",\n".join(records) + "\n]").encode("utf-8", "surrogatepass")


def lines(records: list[str]) -> bytes:
    return "\n".join(records).encode("utf-8", "surrogatepass") + b"\n"


def one_line(records: list[str]) -> bytes:
    return ("[" + ",".join(records) + "]").encode("utf-8", "surrogatepass")


def many(count: int) -> list[str]:
    return [json.dumps({**CARD, "name": f"Ann {at}", "oracle_id": f"0-{at}"}) for at in range(count)]


@needs_cards
def test_the_unmodified_samples() -> None:
    scryfall = collection(SCRYFALL, rulings=(SCRYFALL_RULINGS,))
    assert (scryfall.read, len(scryfall.cards), len(scryfall.rulings), scryfall.broken) == (355, 297, 54, [])
    atomic = collection(ATOMIC)
    assert (atomic.read, len(atomic.cards), len(atomic.rulings), atomic.broken) == (85, 85, 96, [])


@needs_cards
def test_the_whole_files() -> None:
    whole = whole_collection()
    assert (len(whole.cards), len(whole.rulings), whole.broken) == (34_745, 45_904, [])


@needs_cards
def test_both_sources_give_the_same_card() -> None:
    atomic = {card.name: card for card in collection(ATOMIC).cards.values()}
    assert any(len(card.faces) == 2 for card in atomic.values())
    assert not [card for card in atomic.values() for face in card.faces if face.text.startswith("[+")]
    shared = [(card, cards_by_name()[name]) for name, card in atomic.items() if name in cards_by_name()]
    same = [(one, other) for one, other in shared if one.faces[0].text == other.faces[0].text]
    assert len(same) > 40
    for one, other in same:
        assert (one.faces[0].type_line, one.face_names) == (other.faces[0].type_line, other.face_names)


@needs_cards
def test_a_reversible_card_is_the_card_on_its_sides() -> None:
    records = json.loads(SCRYFALL.read_text(encoding="utf-8"))
    reversible = [record for record in records if record["layout"] == "reversible_card"]
    assert len(reversible) == 4
    assert not any("oracle_id" in record for record in reversible)
    from ingest.scryfall import cards_of

    for record in reversible:
        (card,) = cards_of(record, None)
        assert card.oracle_id == record["card_faces"][0]["oracle_id"]
        assert card.name == record["card_faces"][0]["name"]
        assert len(card.faces) == 1


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("layout", [array, lines, one_line])
def test_every_layout_of_a_file(
    tmp_path: Path, layout: Callable[[list[str]], bytes], pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(pack(layout(many(300))))
    assert len(collection(path).cards) == 300


def test_pieces_of_a_file_end_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(array(many(60)))
    for size in (7, 64, 1000):
        monkeypatch.setattr("ingest.records._PIECE", size)
        assert len(collection(path).cards) == 60


def test_a_broken_record_is_told_with_its_line_and_skipped(tmp_path: Path) -> None:
    records = many(400)
    records[200] = records[200][:-20]
    path = tmp_path / "cards.json"
    for layout, line in ((lines, 201), (array, 202)):
        path.write_bytes(layout(records))
        found = collection(path)
        assert len(found.cards) == 399
        assert [
            said for said in found.broken if said.startswith(f"cards.json, line {line}: this is not JSON")
        ] == found.broken


@pytest.mark.parametrize(("change", "fault"), table("broken_fields.txt", at_least=18))
def test_a_record_with_a_wrong_field_says_which(tmp_path: Path, change: str, fault: str) -> None:
    kind, _, field = change.partition(" ")
    records = many(200) if kind == "card" else [json.dumps({**RULING, "comment": f"Yes {at}."}) for at in range(200)]
    record = {**(CARD if kind == "card" else RULING), **json.loads(field)}
    records.append(json.dumps({name: value for name, value in record.items() if value != "ABSENT"}))
    path = tmp_path / "file.json"
    path.write_bytes(lines(records))
    found = collection(path) if kind == "card" else collection(rulings=(path,))
    assert [said.partition(": ")[2] for said in found.broken] == [fault]
    assert found.broken[0].startswith("file.json, line 201: ")


@pytest.mark.parametrize(("content", "message"), table("refused_card_files.txt", at_least=12))
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content.replace("\\n", "\n").encode())
    with pytest.raises(UnreadableRecords) as caught:
        read_cards(path, Collection())
    assert message in str(caught.value)


def test_more_than_one_broken_in_a_hundred_refuses_the_file(tmp_path: Path) -> None:
    path = tmp_path / "cards.jsonl"
    path.write_bytes(lines([*many(99), "{oops}"]))
    assert len(collection(path).cards) == 99
    path.write_bytes(lines([*many(98), "{oops}", "{}"]))
    with pytest.raises(UnreadableRecords, match="2 of 100 records are broken"):
        collection(path)


def test_a_part_of_a_broken_record_is_no_card(tmp_path: Path) -> None:
    """Printed over many lines, a broken record cannot be told from what is inside it: the file is refused."""
    pretty = json.dumps([{**CARD, "oracle_id": f"0-{at}"} for at in range(300)], indent=1)
    inside = '"oracle_id": oops,\n"card_faces": [\n{"object": "card_face", "name": "Bob"}]'
    path = tmp_path / "cards.json"
    path.write_text(pretty.replace('"oracle_id": "0-7"', inside, 1))
    found = Collection()
    with pytest.raises(UnreadableRecords, match="the file is damaged"):
        read_cards(path, found)
    assert {card.name for card in found.cards.values()} == {"Ann"}


def test_a_gzip_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cards.json.gz"
    path.write_bytes(gzip.compress(array(many(3000)))[:-200])
    with pytest.raises(UnreadableRecords, match="damaged or cut short"):
        collection(path)


def test_tokens_are_no_cards_and_a_name_stands_in_for_an_oracle_id(tmp_path: Path) -> None:
    token = {**CARD, "layout": "token"}
    nameless = {**CARD, "oracle_id": None, "legalities": {"modern": "banned"}}
    path = tmp_path / "oracle-cards-20260102090000.json"
    path.write_bytes(lines([json.dumps(token), json.dumps(nameless)]))
    found = collection(path)
    (card,) = found.cards.values()
    assert (found.tokens, card.key, card.as_of) == (1, name_key("Ann"), "2026-01-02")
    assert card.legalities == (Legality("modern", "banned"),)


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["\ud800", "\0", "x" * 200_000]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*CARD, "card_faces", "legalities", "keywords"]), inner)
    ),
    max_leaves=8,
)
FUZZED = st.one_of(
    st.dictionaries(
        st.sampled_from([*CARD, *RULING, "card_faces", "keywords", "legalities", "colors"]), JSON, max_size=6
    ).map(lambda change: {**CARD, **change}),
    JSON,
)


def refusal(read: Callable[[Path, Collection], None], path: Path, into: Collection) -> str | None:
    try:
        read(path, into)
    except SeeruleError as error:
        return str(error)
    return None


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(FUZZED, min_size=1, max_size=3), st.integers(0, 400), st.sampled_from([array, lines, one_line]))
def test_fuzzed_files_never_crash(
    tmp_path: Path, records: list[Any], cut: int, layout: Callable[[list[str]], bytes]
) -> None:
    path = tmp_path / "file.json"
    content = layout([json.dumps(record) for record in records])
    path.write_bytes(content[: len(content) - cut] if cut < len(content) else content)
    for read in (read_cards, read_rulings):
        found = Collection()
        refused = refusal(read, path, found)
        assert refused is None or refused.startswith("file.json")
        for card in found.cards.values():
            "".join((card.name, *(face.text for face in card.faces))).encode()


@needs_cards
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 20_000), st.binary(max_size=6))
def test_real_records_with_a_scar_never_crash(tmp_path: Path, at: int, scar: bytes) -> None:
    with open(ALL_CARDS, "rb") as file:
        content = file.read(200_000)
    path = tmp_path / "file.json"
    path.write_bytes(content[:at] + scar + content[at + len(scar) :])
    found = Collection()
    refused = refusal(read_cards, path, found)
    assert refused is None or "records are broken" in refused or "not JSON" in refused
    assert refused is not None or len(found.cards) > 100
