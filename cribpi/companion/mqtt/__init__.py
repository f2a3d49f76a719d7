"""What happens at the table, told to an MQTT broker; off until `[mqtt] host` names one."""
