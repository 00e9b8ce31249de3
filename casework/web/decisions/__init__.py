"""The panel alone: its room, notes, vote and decision."""
