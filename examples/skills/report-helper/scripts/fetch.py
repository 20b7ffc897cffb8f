"""Fetch the numbers of a quarter."""

import sys

quarter = input("Which quarter? ")
sys.stdout.write(quarter + "\n")
