"""Tests of concilio.store."""
