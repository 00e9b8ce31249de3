"""The case file as PDF, each decision as a letter, and the letters that wait to be posted."""
