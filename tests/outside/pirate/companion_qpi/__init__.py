"""The language of pirates; Companion finds its folder and runs none of this."""

raise RuntimeError
