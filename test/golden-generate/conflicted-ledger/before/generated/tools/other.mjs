// of the other branch
