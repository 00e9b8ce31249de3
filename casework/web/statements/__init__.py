"""The written way: report, statements, answers, complete papers."""
