"""The subcommands of `companion` that use devices or the machine; each loads when it is used."""
