"""The complete papers: sent in, taken up, registered; contact data and attachments."""
