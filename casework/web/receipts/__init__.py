"""The receipt after each act (U5)."""
