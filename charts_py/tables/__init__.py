"""What commands tell people, as tables that are printed in several ways."""
