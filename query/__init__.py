"""Questions: look up, follow, prove, cite."""
