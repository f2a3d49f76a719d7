"""From a state to what people see: lights, pictures, words; pure."""
