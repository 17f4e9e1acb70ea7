"""Settings: flags, then `CONCILIO_*` variables, then `concilio.toml`, then defaults."""

from concilio.settings.load import load_settings
from concilio.settings.model import AGENTS, EMBEDDED, Layer, OnUnresolved, Origin, Settings
from concilio.settings.problems import SettingsError, SettingsProblem

__all__ = [
    "AGENTS",
    "EMBEDDED",
    "Layer",
    "OnUnresolved",
    "Origin",
    "Settings",
    "SettingsError",
    "SettingsProblem",
    "load_settings",
]
