"""The forge: who owns which file there, what its answers and forms say, what is told to it."""
