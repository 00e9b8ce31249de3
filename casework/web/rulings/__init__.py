"""The director's forms: the short ruling at the table, the full one, and what is done about a ruling afterwards."""
