"""The drawer of `--simulate`."""
