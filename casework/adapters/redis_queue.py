"""kombu's Redis transport, made safe for a Redis that goes away while a task runs (F10).

The task is acknowledged when it has ended. Where that does not come through, kombu keeps the message as one in hand;
with one in hand at a time the worker then waits for ever, alive and idle. Here it is let go: Redis gives it out again
later, and then its row says that it is done.
"""

from typing import Any

from kombu.transport import TRANSPORT_ALIASES, redis, virtual


class QoS(redis.QoS):
    """What is in hand."""

    def ack(self, delivery_tag: Any) -> None:
        """Let go of a message, heard by Redis or not."""
        try:
            super().ack(delivery_tag)  # type: ignore[no-untyped-call]  # kombu ships no types for it
        except self.channel.connection_errors:
            virtual.QoS.ack(self, delivery_tag)  # type: ignore[no-untyped-call]  # as above
            raise


class Channel(redis.Channel):
    """A connection's way to the queues."""

    QoS = QoS


class Transport(redis.Transport):
    """What `redis://` and `rediss://` name after `install`."""

    Channel = Channel


def install() -> None:
    """Let Celery use it."""
    here = f"{Transport.__module__}:{Transport.__qualname__}"
    TRANSPORT_ALIASES.update(redis=here, rediss=here)
