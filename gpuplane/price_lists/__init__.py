"""Refreshing the tables of listed prices, which maintainers do.

AWS and Azure publish prices for everybody. Google's Cloud Billing Catalog answers nobody without an
API key (https://cloud.google.com/billing/docs/how-to/get-pricing-information-api), so that
`prices_gke.toml` has no refresh.
"""
