"""A report in, text out: one file a format, and findings.py for all that check prints. No view computes."""
