"""What Discord is told to show: pure functions from values to component payloads."""
