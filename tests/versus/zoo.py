"""PettingZoo's own tests, which import one of their examples by its old address."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import (
        api_test,
        parallel_api_test,
        parallel_seed_test,
        render_test,
        seed_test,
    )

__all__ = [
    "api_test",
    "parallel_api_test",
    "parallel_seed_test",
    "render_test",
    "seed_test",
]
