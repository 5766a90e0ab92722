"""The touchscreen: what people read and press.

It shows Views and Requests and knows neither rules nor devices.
Importing `ui` itself opens no window; only its modules below load Kivy.
"""
