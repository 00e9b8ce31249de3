"""The duties of this installation, under the names that the broker, the clock and the tests call."""

from workers.handlers import DUTIES

run_job = DUTIES.run_job
ring_due = DUTIES.ring_due
sweep = DUTIES.sweep
drain = DUTIES.drain
