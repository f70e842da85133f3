"""The commands of `seerule`, one family a file; `query.cli` imports a file when its command is called."""
