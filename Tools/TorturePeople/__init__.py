"""Fault schedules for a server of many people, with real processes: see Tools/torture-people."""
