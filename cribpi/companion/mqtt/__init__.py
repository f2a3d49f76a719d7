"""MQTT: publishes the game to a broker."""
