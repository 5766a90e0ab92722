"""Layouts of the play screen: functions that divide the window among widgets that say what they need."""
