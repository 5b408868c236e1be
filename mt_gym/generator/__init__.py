"""Certified floors: profiles, levels, named sets, pools and the decision bank."""
