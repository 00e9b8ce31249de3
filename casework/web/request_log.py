"""A line for each request: its number, the page's name and the case, never the address: that can be a secret."""

from time import perf_counter
from uuid import uuid4

from flask import Flask, Response, g, request

from casework import logs

NUMBER = "X-Request-ID"
"""The header that gives the request's number to the proxy's log and to whoever reports a fault."""

log = logs.logger(__name__)

_QUIET = {"static", "home.healthz", "operating.readyz", "operating.metrics"}
"""Asked for all the time: a line only when they fail."""


def init_app(app: Flask) -> None:
    """Number the requests."""

    @app.before_request
    def begin() -> None:
        g.request_id, g.begun = uuid4().hex[:16], perf_counter()
        logs.begin(request_id=g.request_id)
        case_id = (request.view_args or {}).get("case_id")
        if case_id is not None:
            logs.about(case_id=case_id)

    @app.after_request
    def end(response: Response) -> Response:
        if "begun" not in g:
            return response
        response.headers[NUMBER] = g.request_id
        if request.endpoint not in _QUIET or response.status_code >= 400:
            log.info(
                "request",
                method=request.method,
                page=request.endpoint,
                status=response.status_code,
                ms=round((perf_counter() - g.begun) * 1000),
            )
        return response
