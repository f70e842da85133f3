"""Runs the board cases of other rules engines: `python -m tests.peers FILE.jsonl`."""
