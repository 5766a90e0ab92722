"""Where things stand on the play screen: three plans that divide room, for widgets that know what they need."""
