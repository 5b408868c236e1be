"""The game and nothing else: rules, towers, states, transitions."""
