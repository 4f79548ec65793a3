"""Lines about the progress of a download."""

import time

from .shard import Outcome


class Progress:
    """Prints one line for each shard that ends, and a line about all of them."""

    def __init__(self) -> None:
        self.count = self.successes = self.not_downloaded = self.not_resized = 0
        self._start = time.monotonic()

    def add(self, outcome: Outcome) -> None:
        """Counts and prints a shard."""
        statistics = outcome.statistics
        if statistics is None:
            print(f"shard {outcome.task.shard} failed: {outcome.failure}", flush=True)
            return
        self.count += statistics.count
        self.successes += statistics.successes
        self.not_downloaded += statistics.failed_to_download
        self.not_resized += statistics.failed_to_resize
        print(f"shard {outcome.task.shard} is complete; {self}", flush=True)

    def __str__(self) -> str:
        rate = self.count / max(time.monotonic() - self._start, 1e-9)
        shares = [number / max(self.count, 1) for number in (self.successes, self.not_downloaded, self.not_resized)]
        return (f"total: {self.count} rows, {rate:.0f} per second, success {shares[0]:.1%}, "
                f"failed to download {shares[1]:.1%}, failed to resize {shares[2]:.1%}")
