"""The renderer process: imports WeasyPrint once and forks for each document.

Started by `pdf.Renderer` with a socket as its standard input. The forked child has limits on memory, processor
time and wall clock; whatever becomes of it, the caller gets an answer and the next document a fresh child.
"""

import base64
import gc
import io
import logging
import math
import os
import resource
import select
import signal
import socket
import tempfile
import time
import zlib
from datetime import datetime
from typing import NoReturn

import pikepdf
import pydyf
import weasyprint
from weasyprint.urls import URLFetcher, URLFetcherResponse

from casework.adapters.pdf import MADE, NOT_MADE, Failure, Order, find_asset, receive, send

VARIANT = "pdf/a-3a"
MIME_TYPES = {".css": "text/css"}
LARGEST_SCRATCH_FILE = 256_000_000
"""Bytes: the child writes nothing but unpacked fonts."""

UNIVERSAL_ACCESS = b"""<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about=""
 pdfuaid:part="1"/>
<rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
 xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA Universal Accessibility Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289 that the file conforms to</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
"""
"""What makes a PDF/A say that it is PDF/UA-1 too, with the declaration that PDF/A asks for."""


class AssetFetcher(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Gives out `asset:` files and `data:` URIs; all else is refused without a look at file or net (S-PDF2).

    A refused thing is an empty thing: raising would end the whole document at an @color-profile.
    `refused` keeps the addresses.
    """

    def __init__(self) -> None:
        super().__init__(allowed_protocols=("data",), allow_redirects=False)
        self.refused: list[str] = []

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        """Answer WeasyPrint's request for `url`."""
        scheme, _, name = url.partition(":")
        if scheme == "data":
            return super().fetch(url, headers)
        path = find_asset(name) if scheme == "asset" else None
        if path is None:
            self.refused.append(url)
            return URLFetcherResponse(url, b"")
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": MIME_TYPES.get(path.suffix, "")})


def make_pdf(order: Order, fetcher: AssetFetcher) -> bytes:
    """Render the order in this process, without limits."""
    html = weasyprint.HTML(string=order.html, url_fetcher=fetcher)
    for element in html.etree_element.iter():
        if "attachment" in element.get("rel", "").lower():
            del element.attrib["rel"]  # only the order says what is attached
    document = html.render(pdf_variant=VARIANT)
    created = datetime.fromisoformat(order.created)
    document.metadata.title = order.title
    document.metadata.lang = order.language
    document.metadata.created = document.metadata.modified = order.created
    document.metadata.attachments = [
        weasyprint.Attachment(
            string=base64.b64decode(content),
            name=name,
            created=created,
            modified=created,
            relationship="Data",
        )
        for name, content in order.attachments.items()
    ]
    return _declare_universal_access(document.write_pdf(pdf_variant=VARIANT))


def _page_references(pdf: pydyf.PDF) -> tuple[bytes, ...]:
    """What points at each page. The library makes all of them anew for each piece of text: pages times pieces."""
    known: tuple[bytes, ...] = vars(pdf).get("known_references", ())
    if len(known) != pdf.pages["Count"]:
        known = pdf.known_references = tuple(b"%d 0 R" % number for number in pdf.pages["Kids"][::3])
    return known


def main() -> None:
    """Serve orders until the caller is gone."""
    pydyf.PDF.page_references = property(_page_references)
    logging.getLogger("weasyprint").addHandler(logging.NullHandler())
    channel = socket.socket(fileno=0)
    gc.freeze()  # leaves the imported modules' pages shared with the children
    while (sent := receive(channel)) is not None:
        send(channel, _in_a_child(Order.from_bytes(sent), channel))


def _declare_universal_access(made: bytes) -> bytes:
    with pikepdf.open(io.BytesIO(made)) as pdf:
        head, end, tail = pdf.Root.Metadata.read_bytes().rpartition(b"</rdf:RDF>")
        metadata = pdf.make_stream(head + UNIVERSAL_ACCESS + end + tail, Type=pikepdf.Name.Metadata)
        metadata.Subtype = pikepdf.Name.XML
        pdf.Root.Metadata = pdf.make_indirect(metadata)
        pdf.Root.ViewerPreferences = pikepdf.Dictionary(DisplayDocTitle=True)
        for held in pdf.objects:
            if isinstance(held, pikepdf.Stream):
                _end_plainly(held)
        finished = io.BytesIO()
        pdf.save(finished, deterministic_id=True, compress_streams=False)
    return finished.getvalue()


def _end_plainly(stream: pikepdf.Stream) -> None:
    """Compress a stream, unless its checksum would end like a line: checkers would then doubt its length."""
    if stream.get("/Type") == pikepdf.Name.Metadata or stream.get("/Filter") not in (None, pikepdf.Name.FlateDecode):
        return
    plain = stream.read_bytes()
    packed = zlib.compress(plain)
    if packed.endswith(b"\r"):
        stream.write(plain)
    else:
        stream.write(packed, filter=pikepdf.Name.FlateDecode, decode_parms=None)


def _in_a_child(order: Order, channel: socket.socket) -> bytes:
    with tempfile.TemporaryDirectory() as scratch:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            channel.close()
            tempfile.tempdir = scratch
            _work(order, writer)
        os.close(writer)
        try:
            return _collect(child, reader, caller=channel.fileno(), seconds=order.seconds)
        finally:
            os.close(reader)


def _work(order: Order, writer: int) -> NoReturn:
    """Be the child: leave one answer in the pipe and end."""
    gc.disable()  # nearly all of a document lives to its end: sweeping took a sixth of the time and freed nothing
    try:
        _limit(order)
        answer = MADE + make_pdf(order, AssetFetcher())
    except MemoryError:
        answer = _failed(Failure.TOO_BIG)
    except RecursionError:
        answer = _failed(Failure.TOO_DEEP)
    except BaseException as error:  # noqa: BLE001  # WeasyPrint has fatal errors that are no Exception
        answer = _failed(Failure.BROKEN, type(error).__name__)
    try:
        while answer:
            answer = answer[os.write(writer, answer) :]
    finally:
        os._exit(0)  # which closes the pipe: closed before, the child would be killed on its way out


def _limit(order: Order) -> None:
    seconds = math.ceil(order.seconds)
    resource.setrlimit(resource.RLIMIT_AS, (order.memory, order.memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_SCRATCH_FILE, LARGEST_SCRATCH_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _collect(child: int, reader: int, *, caller: int, seconds: float) -> bytes:
    """The child's answer, or why there is none. The child is gone afterwards."""
    deadline = time.monotonic() + seconds
    answer = bytearray()
    in_time = False
    while not in_time:
        left = max(0.0, deadline - time.monotonic())
        ready, _, _ = select.select([reader, caller], [], [], left)
        if not ready or caller in ready:  # the caller says nothing while it waits, except that it is gone
            break
        chunk = os.read(reader, 1 << 20)
        answer += chunk
        in_time = not chunk
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if not in_time or _ended_by(status, signal.SIGXCPU):
        return _failed(Failure.TOO_LONG)
    if os.WIFSIGNALED(status):
        return _failed(Failure.BROKEN, signal.Signals(os.WTERMSIG(status)).name)
    return bytes(answer)


def _ended_by(status: int, which: signal.Signals) -> bool:
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == which


def _failed(failure: Failure, detail: str = "") -> bytes:
    return NOT_MADE + f"{failure}:{detail}".encode()


if __name__ == "__main__":
    main()
