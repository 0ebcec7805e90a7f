"""The commands of ``same-deal``, one module for each kind."""
