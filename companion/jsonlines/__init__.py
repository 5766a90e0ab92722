"""The front end for programs: lines of JSON, which docs/json.md describes."""
