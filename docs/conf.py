"""How the pages become a site: `make docs`. Their source is the whole checkout, so that every link holds."""

project = "Companion"
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**"]
html_theme = "furo"
html_title = "Companion"
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Links are checked by the tests, as they stand in the pages; csv is shown plain.
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure"]
