"""Signing in and out with an account."""
