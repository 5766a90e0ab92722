"""What people and programs hand in and take away, as files, TOML and JSON: read within bounds."""
