"""The file's form: the specification's frontmatter, bytes and Markdown syntax."""
