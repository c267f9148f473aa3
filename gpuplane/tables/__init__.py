"""What commands show people, as tables that are printed in several ways."""
