"""The demo's invented federation, and the stories that bring its cases into every state."""
