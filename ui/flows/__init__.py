"""The walks through pages that lie over the table, one file each."""
