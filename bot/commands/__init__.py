"""What ``same-deal`` can be asked to do, one module each."""


class CommandError(Exception):
    """A command that failed for a reason outside of this machine; one sentence for the operator."""
