"""Official files become values: bytes -> text -> Rulebook -> findings -> graph -> store."""
