"""The pages where an adjusted score is worked out."""
