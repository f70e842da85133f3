"""The tests: a file for each module, tables of cases, and the official files they are checked against."""
