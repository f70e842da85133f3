"""What the books say: numbers, references, the rulebook, the graph and the store that keeps it.

text -> Reference -> Rulebook -> triples -> GraphStore
"""
