"""The page of `concilio view`: runs and chapters in a browser.

Needs the extra `view`; only `concilio.cli.view` is loaded before it is called. `guard.py` decides who may
ask, `found.py` what a URL may name, `marking.py` what of a model's text becomes markup.
"""
