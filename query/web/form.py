"""Knows how the fields of a page's form are read."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request

from query.web.problem import BadRequest

_MOST_FIELDS = 50


async def posted(request: Request) -> dict[str, str]:
    """The fields of a form, whether they come in the address or in the body; line ends as programs have them.

    Raises `BadRequest` for what is no form.
    """
    if request.method != "POST":
        return {name: value.replace("\r\n", "\n") for name, value in request.query_params.items()}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise BadRequest("the fields of a form are posted as application/x-www-form-urlencoded", 415)
    try:
        fields = parse_qsl(
            (await request.body()).decode(), keep_blank_values=True, errors="strict", max_num_fields=_MOST_FIELDS
        )
    except ValueError:  # not UTF-8, or too many fields
        raise BadRequest("the fields of the form cannot be read") from None
    return {name: value.replace("\r\n", "\n") for name, value in fields}
