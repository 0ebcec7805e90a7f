"""What is measured, how and against what: see README.md here."""
