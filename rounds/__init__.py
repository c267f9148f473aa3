"""What a round of a CronJob asks and tells, whatever it is about."""
