"""What the walks have reached: walks that never decide prove nothing."""

from collections import Counter

SEEN: Counter[str] = Counter()
