// earlier, of the other branch
