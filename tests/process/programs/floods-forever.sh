exec yes "a line of output that never ends"
