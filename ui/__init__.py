"""The touchscreen: what people read and press.

The screen shows Views and Requests and knows neither rules nor devices.
Importing `ui` itself opens no window; only modules of the package load Kivy.
"""
