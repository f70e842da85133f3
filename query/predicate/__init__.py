"""Answers about a board, each with its proof and the rules it rests on.

rules text -> syntax -> Program ----+
                                    +-> Model -> Proof -> Answer -> text | Markdown | JSON | RDF
board -> facts ---------------------+
"""
