"""For those who run the installation: is it ready, and how is it."""
