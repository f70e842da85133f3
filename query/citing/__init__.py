"""From a text to the rules that govern it.

text -> words, mentions -> signals of every rule -> ranking -> citations with confidence and evidence
"""
