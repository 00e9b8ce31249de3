"""Times for the reader's own calendar: as a file, and as a calendar to subscribe to."""
