"""Publishes the game to an MQTT broker."""
