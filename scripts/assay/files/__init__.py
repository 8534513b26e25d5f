"""Reading and writing text safely: the one place where bytes become values and back."""
