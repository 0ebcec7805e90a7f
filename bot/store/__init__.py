"""The database: connections, migrations and all SQL."""
