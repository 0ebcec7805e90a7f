"""Slash commands and the handlers of presses: each takes an interaction, asks a service, and answers."""
