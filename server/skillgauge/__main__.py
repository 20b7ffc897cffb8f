"""`python -m skillgauge`: the command line."""

import sys

from skillgauge.cli import main

if __name__ == "__main__":
    sys.exit(main())
