"""A line for each request: its number, the page's name and the case, never the address: that can be a secret."""

from time import perf_counter
from uuid import uuid4

from flask import Flask, Response, g, request

from casework import logs

NUMBER = "X-Request-ID"
"""The header that gives the request's number to the proxy's log and to whoever reports a fault."""

log = logs.logger(__name__)


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
        if "begun" in g and request.endpoint != "static":
            response.headers[NUMBER] = g.request_id
            log.info(
                "request",
                method=request.method,
                page=request.endpoint,
                status=response.status_code,
                ms=round((perf_counter() - g.begun) * 1000),
            )
        return response
