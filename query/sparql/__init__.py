"""Questions in SPARQL: checked, answered within a limit, written in every format.

text -> check -> worker process -> rows, triples or a truth -> bytes; the named queries are the `.rq` files
here.
"""
