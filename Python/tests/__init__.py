"""Tests of the package against the command. Run in `Python/`: python3 -m unittest"""
