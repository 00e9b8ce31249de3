"""The start page, help, and what the federation must say about the system."""
