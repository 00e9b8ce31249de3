"""The appeal's way through the director."""
