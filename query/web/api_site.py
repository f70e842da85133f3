"""Knows how the JSON API is put together: its routes, its faults, its contract; made when it is first asked."""

from __future__ import annotations

import threading
from functools import cached_property
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from kb.errors import SeeruleError
from query.web import answering_api, api, faults
from query.web.contract import ProblemAnswer
from query.web.problem import Problem


def api_site() -> FastAPI:
    """The API as an application of its own, whose routes bear their whole path."""
    site = Api(
        title="seerule",
        summary="The rules of Magic: The Gathering as a graph.",
        version="1",
        docs_url=None,
        redoc_url=None,
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    site.include_router(api.router)
    site.include_router(answering_api.router)
    site.add_exception_handler(SeeruleError, faults.seerule_fault)
    site.add_exception_handler(HTTPException, faults.http_fault)
    site.add_exception_handler(RequestValidationError, invalid)
    site.add_exception_handler(Exception, faults.broken)
    return site


class Api(FastAPI):
    """FastAPI, with the form of problems in the contract, which no route declares as its own answer."""

    _turn = threading.Lock()

    def openapi(self) -> dict[str, Any]:
        """The contract."""
        with self._turn:
            return self._contract

    @cached_property
    def _contract(self) -> dict[str, Any]:
        said = super().openapi()
        schema = ProblemAnswer.model_json_schema(ref_template="#/components/schemas/{model}")
        said["components"]["schemas"] |= {**schema.pop("$defs", {}), "ProblemAnswer": schema}
        return said


async def invalid(request: Request, error: Exception) -> Response:
    """The answer to parameters or a body that are not what the contract says."""
    assert isinstance(error, RequestValidationError)
    said = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()[:5])
    return await faults.told(
        request, Problem("/problem/invalid-request", "The request is not as the contract says", 422, said)
    )
