"""Publishes what happens at the table to an MQTT broker."""
