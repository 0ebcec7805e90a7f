"""Positions and races as pictures, emoji and words. Pure: no discord import, no clock, no files."""
