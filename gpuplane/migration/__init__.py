"""Migrates cluster files of earlier versions to this one."""
