"""`python -m mt_gym` is the command line."""

from mt_gym.cli import main

if __name__ == "__main__":
    main()
