"""Where things stand on the play screen: plans that divide room, for widgets that know what they need."""
