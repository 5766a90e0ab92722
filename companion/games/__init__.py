"""The games: one file each, which reads like its rulebook. No game knows another, or what a screen is."""
