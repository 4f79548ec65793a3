print("cellophane")
