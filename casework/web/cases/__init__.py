"""The case page, the lists of cases, and the papers to read."""
