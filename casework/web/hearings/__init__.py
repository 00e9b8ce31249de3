"""The panel and its hearing: who sits, who is called, who is there, what has been done."""
