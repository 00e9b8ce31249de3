"""The tournament as its staff sees it: sessions and their official scores, LK members present, staff, procedure."""
