"""From a file that anybody wrote to values: compression, encodings, lines, values in a row."""
