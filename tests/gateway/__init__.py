"""Tests of concilio.gateway."""
