"""The commands of `seerule`, one family a file; `query.cli` imports a file only when its command is called."""
