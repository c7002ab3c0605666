// earlier
