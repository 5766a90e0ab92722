"""The subcommands of `companion` that need no devices. A module loads when its subcommand is used."""
