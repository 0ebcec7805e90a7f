"""Same Deal: a Discord bot for same-deal solitaire races."""

__version__ = "0.1.0"
