"""Mail links: how parties and panel members come in (S-LINK)."""
