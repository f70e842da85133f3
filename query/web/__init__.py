"""The web: pages, a JSON API and a SPARQL endpoint over one open store; needs the extra `web`.

request -> Shelf.lease -> Volume -> KnowledgeBase -> page | JSON | RDF
"""
