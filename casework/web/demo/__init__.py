"""The demo federation's own pages; outside demo mode they do not exist."""
