"""The page as HTML, Markdown and JSON."""
