"""The front end for programs: lines of JSON (docs/json.md)."""
