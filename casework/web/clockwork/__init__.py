"""The page about the clock."""
