"""A chat endpoint on the loopback that speaks OpenAI's protocol, well or badly.

Each request takes the next of the server's answers, a function of the request's handler; the last
one stays. The requests that came are kept, bodies and headers. Nothing here waits for time: what
hangs does so until the client goes away.
"""

import http.server
import json
import ssl
import threading


class Server:
    """`with Server(answer, ...) as server:`; server.url is what an executor is given."""

    def __init__(self, *answers, certificate=None):
        self.answers = list(answers)
        self.requests = []
        self.arrived = threading.Event()
        self.clients = 0
        self.most_clients = 0
        self.lock = threading.Lock()
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.chat = self
        scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.http.socket = context.wrap_socket(self.http.socket, server_side=True)
            scheme = "https"
        self.url = f"{scheme}://127.0.0.1:{self.http.server_port}/v1"

    def __enter__(self):
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,))
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.http.shutdown()
        self.thread.join()
        self.http.server_close()

    def take(self, request):
        with self.lock:
            self.requests.append(request)
            answer = self.answers[0]
            if len(self.answers) > 1:
                self.answers.pop(0)
        self.arrived.set()
        return answer


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except OSError:  # the client has gone, as it may
            pass

    def do_POST(self):
        chat = self.server.chat
        body = self.rfile.read(int(self.headers["Content-Length"]))
        request = {"path": self.path, "headers": dict(self.headers), "body": json.loads(body)}
        answer = chat.take(request)
        with chat.lock:
            chat.clients += 1
            chat.most_clients = max(chat.most_clients, chat.clients)
        try:
            answer(self)
        except OSError:
            self.close_connection = True
        finally:
            with chat.lock:
                chat.clients -= 1

    # ---- what answers are made of

    def begin(self, status=200, kind="text/event-stream", length=None, **headers):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        if length is None:  # the end of the connection is the end of the body
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, data):
        self.wfile.write(data)
        self.wfile.flush()

    def say(self, document, status=200, kind="application/json", **headers):
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.begin(status, kind, length=len(body), **headers)
        self.send(body)

    def wait_for_client_to_go(self):
        self.connection.settimeout(60)
        while self.connection.recv(4096):
            pass


def chunk(content=None, finish=None, **more):
    delta = {} if content is None else {"content": content}
    choice = {"index": 0, "delta": {**delta, **more}, "finish_reason": finish}
    return {"id": "chatcmpl-1", "model": "tiny-1", "choices": [choice]}


def event(document):
    return b"data: " + json.dumps(document).encode() + b"\n\n"


USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
USAGE_CHUNK = {"id": "chatcmpl-1", "choices": [], "usage": USAGE}
DONE = b"data: [DONE]\n\n"


def stream_of(*pieces, finish="stop"):
    """The bytes of a well-formed stream."""
    events = [chunk("", role="assistant"), *(chunk(piece) for piece in pieces)]
    events += [chunk(finish=finish), USAGE_CHUNK]
    return b"".join(map(event, events)) + DONE


def streamed(*pieces, finish="stop"):
    def answer(handler):
        handler.begin()
        handler.send(stream_of(*pieces, finish=finish))

    return answer


def raw_stream(data, kind="text/event-stream"):
    """These bytes; then the connection ends, as it would behind a whole answer."""

    def answer(handler):
        handler.begin(kind=kind)
        handler.send(data)

    return answer


def bytewise(data):
    """A packet for each byte."""

    def answer(handler):
        handler.begin()
        for byte in data:
            handler.send(bytes([byte]))

    return answer


def cut_off(data, missing=100):
    """The connection ends `missing` bytes before it should."""

    def answer(handler):
        handler.begin(length=len(data) + missing)
        handler.send(data)
        handler.close_connection = True

    return answer


def whole(content, finish="stop", **message):
    """One document, not a stream."""
    choice = {"message": {"role": "assistant", "content": content, **message}}
    choice["finish_reason"] = finish
    return said({"id": "chatcmpl-2", "model": "tiny-1", "choices": [choice], "usage": USAGE})


def said(document, status=200, kind="application/json", **headers):
    return lambda handler: handler.say(document, status, kind, **headers)


def failed(status, message="no", code=None, **headers):
    return said({"error": {"message": message, "code": code}}, status, **headers)


def echoing(status):
    """Repeats the headers that it got, as debugging proxies do."""

    def answer(handler):
        handler.say({"error": {"message": "got " + str(handler.headers)}}, status)

    return answer


def hanging(beginning=None):
    """Says no more than this."""

    def answer(handler):
        if beginning is not None:
            handler.begin()
            handler.send(beginning)
        handler.wait_for_client_to_go()

    return answer


def endless(piece="x" * 1000):
    def answer(handler):
        handler.begin()
        while True:
            handler.send(event(chunk(piece)))

    return answer
