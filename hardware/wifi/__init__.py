"""Wi-Fi for phones, through NetworkManager: join a house network, or open a hotspot for the evening."""
