"""The chat executor against a real server: over sockets, through libcurl, to files on a disk."""

import json
import pathlib
import re
import subprocess

import chat_server as chat
import harness
from chat_home import KEY, Endpoint

DOCUMENTATION = pathlib.Path(__file__).resolve().parents[2] / "docs" / "endpoints.md"
PERSON = {
    "type": "object",
    "required": ["name", "age"],
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
}


class Answers(Endpoint):
    def test_a_stream(self):
        done, server = self.answered(chat.streamed("Hel", "lo ", "wörld"), streamUsage=True)
        usage = {"promptTokens": 7, "completionTokens": 3, "totalTokens": 10}
        self.assertEqual(
            done.value,
            {"text": "Hello wörld", "model": "tiny-1", "finishReason": "stop", "usage": usage},
        )
        self.assertEqual(done.metadata["usage"], usage)
        self.assertEqual(done.metadata["responseId"], "chatcmpl-1")
        self.assertEqual(done.outcome["stdoutRef"], "tasks/t1/stdout.log")
        self.assertEqual((self.log(), done.text), ("Hello wörld\n", "Hello wörld\n"))
        request = server.requests[0]
        self.assertEqual(request["path"], "/v1/chat/completions")
        self.assertEqual(request["headers"]["Authorization"], f"Bearer {KEY}")
        self.assertEqual(request["body"]["stream_options"], {"include_usage": True})

    def test_a_stream_that_arrives_byte_by_byte(self):
        done, _ = self.answered(chat.bytewise(chat.stream_of("Hel", "lo ", "wörld")))
        self.assertEqual(done.value["text"], "Hello wörld")

    def test_one_document(self):
        calls = [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]
        done, _ = self.answered(chat.whole("Hi", "tool_calls", tool_calls=calls), stream=False)
        self.assertEqual((done.value["text"], done.value["toolCalls"]), ("Hi", calls))

    def test_a_document_where_a_stream_was_asked_for(self):
        done, _ = self.answered(chat.whole("Hi"))
        self.assertEqual((done.value["text"], self.log()), ("Hi", "Hi\n"))

    def test_a_stream_without_done_and_one_whose_done_does_not_end_it(self):
        events = chat.event(chat.chunk("Hi")) + chat.event(chat.chunk(finish="stop"))
        done, _ = self.answered(chat.raw_stream(b": hello\r\n\r\n" + events))
        self.assertEqual(done.value["text"], "Hi")
        done, _ = self.answered(chat.hanging(events + chat.DONE))
        self.assertEqual(done.value["text"], "Hi")

    def test_a_connection_that_breaks_behind_the_answer(self):
        events = chat.event(chat.chunk("Hi")) + chat.event(chat.chunk(finish="stop"))
        done, server = self.answered(chat.cut_off(events))
        self.assertEqual((done.value["text"], len(server.requests)), ("Hi", 1))

    def test_invalid_utf8(self):
        broken = chat.event(chat.chunk("a?z")).replace(b"?", b"\xff\xc3")
        done, _ = self.answered(chat.raw_stream(broken + chat.DONE))
        self.assertEqual(done.value["text"], "a\ufffd\ufffdz")

    def test_control_characters_stay_in_the_text(self):
        done, _ = self.answered(chat.streamed("\x1b[31m\u202e\x00"))
        self.assertEqual(done.value["text"], "\x1b[31m\u202e\x00")


class Troubles(Endpoint):
    def test_asked_again_until_it_answers(self):
        done, server = self.answered(
            chat.failed(500), chat.failed(429, Retry_After="0"), chat.streamed("Hi")
        )
        self.assertEqual((done.value["text"], len(server.requests)), ("Hi", 3))
        self.assertIn("(2 of 4)", done.notices)

    def test_cut_off_in_the_middle(self):
        half = chat.stream_of("lost ", "words")[:-200]
        done, server = self.answered(
            chat.cut_off(half), chat.raw_stream(half), chat.streamed("Hi")
        )
        self.assertEqual((done.value["text"], len(server.requests)), ("Hi", 3))
        self.assertEqual(self.log(), "Hi\n")

    def test_cut_off_each_time(self):
        done = self.failed("ReplyCutOff", chat.raw_stream(b""), requests=2, attempts=2)
        self.assertEqual(done.value["data"], {"requests": 2})

    def test_wrong_json_and_wrong_types(self):
        self.failed("ReplyInvalid", chat.raw_stream(b"data: {nonsense\n\n"))
        self.failed("ReplyInvalid", chat.said(b"{nonsense"))
        done = self.failed("ReplyInvalid", chat.said(b"<html>", kind="text/html"))
        self.assertIn("text/html", done.value["message"])

    def test_the_key_is_refused_and_repeated(self):
        done = self.failed("KeyRefused", chat.echoing(401))
        self.assertIn("the variable CHAT_KEY", done.value["message"])
        self.assertIn("[redacted]", done.value["message"])

    def test_the_key_in_the_answer_itself(self):
        done, _ = self.answered(chat.streamed("it is ", KEY[:5], KEY[5:], " really"))
        self.assertEqual(done.value["text"], "it is [redacted] really")
        self.assertEqual(self.log(), "it is [redacted] really\n")

    def test_too_long(self):
        self.failed("too_long", chat.failed(400, "too big", "context_length_exceeded"))

    def test_an_endless_and_a_huge_answer(self):
        self.failed("ReplyTooLarge", chat.endless(), maxResponseBytes=300_000)
        huge = chat.whole("x" * 400_000)
        self.failed("ReplyTooLarge", huge, maxResponseBytes=300_000)
        self.failed("ReplyTooLarge", chat.said({}, Huge="x" * 5000), maxResponseBytes=4000)

    def test_a_huge_error(self):
        done = self.failed("RequestRefused", chat.said(b"x" * 5_000_000, 400))
        self.assertLess(len(done.value["message"]), 1000)

    def test_silence(self):
        # On a busy machine the time may be over before the request has arrived.
        def failed(name, answer, **options):
            self.failed(name, answer, requests=None, **options)

        half = chat.event(chat.chunk("Hi"))
        for answer in (chat.hanging(), chat.hanging(half)):
            failed("EndpointSilent", answer, idleTimeout="50ms", attempts=1)
        failed("TimeoutError", chat.hanging(half), timeout_ms=50)
        failed("TimeoutError", chat.hanging(half), requestTimeout="50ms")
        failed("TimeoutError", chat.endless("x"), timeout_ms=50)

    def test_stopped(self):
        with chat.Server(chat.hanging(chat.event(chat.chunk("Hi")))) as server:
            process = self.start(server)
            self.assertTrue(server.arrived.wait(harness.TIMEOUT_S))
            process.lifeline.close()
            done = self.end(process)
        self.assertEqual(done.value["name"], "Stopped")

    def test_nobody_listens(self):
        with chat.Server(chat.streamed("x")) as server:
            url = server.url
        done = self.perform(url, attempts=2)
        self.assertEqual(done.value["name"], "EndpointUnreachable")
        done = self.perform("http://no-such-host.invalid/v1", attempts=1, apiKey=None)
        self.assertEqual(done.value["name"], "EndpointUnreachable")

    def test_a_redirect_takes_no_key_along(self):
        with chat.Server(chat.streamed("x")) as other:
            location = other.url + "/chat/completions"
            self.failed("RequestRefused", chat.said({}, 307, Location=location))
        self.assertEqual(other.requests, [])


class Structured(Endpoint):
    TASK = {"kind": "agent", "agent": {"prompt": "Who?"}, "outputSchema": PERSON}

    def test_right(self):
        done, server = self.answered(
            chat.streamed('{"name":"Ann",', '"age":7}'),
            definition=self.TASK,
            structured="json_schema",
        )
        self.assertEqual(done.value, {"name": "Ann", "age": 7})
        body = server.requests[0]["body"]
        self.assertEqual(body["response_format"]["json_schema"]["schema"], PERSON)

    def test_wrong_then_right(self):
        done, server = self.answered(
            chat.streamed('{"name":"Ann"}'), chat.streamed('{"name":"Ann","age":7}'),
            definition=self.TASK,
        )
        self.assertEqual(done.value, {"name": "Ann", "age": 7})
        self.assertTrue(done.metadata["repaired"])
        self.assertEqual(done.metadata["usage"]["totalTokens"], 20)
        self.assertEqual(len(server.requests[1]["body"]["messages"]), 3)
        self.assertEqual(self.log(), '{"name":"Ann"}\n{"name":"Ann","age":7}\n')

    def test_wrong_twice(self):
        done = self.failed("OutputInvalid", chat.streamed("Ann"), definition=self.TASK, requests=2)
        self.assertEqual(done.metadata["usage"]["totalTokens"], 20)


class Keys(Endpoint):
    def test_a_file_and_a_command(self):
        key = self.folder / "key"
        key.write_text(KEY + "\n")
        key.chmod(0o600)
        command = ["sh", "-c", f"cat {key}"]
        for source in ({"file": str(key)}, {"command": command}):
            _, server = self.answered(chat.streamed("x"), apiKey=source)
            self.assertEqual(server.requests[0]["headers"]["Authorization"], f"Bearer {KEY}")
        key.chmod(0o644)
        self.failed("KeyMissing", chat.streamed("x"), apiKey={"file": str(key)}, requests=0)

    def test_other_headers(self):
        headers = {"X-Key": {"env": "CHAT_KEY"}, "X-Title": "reprise"}
        _, server = self.answered(chat.streamed("x"), apiKey=None, headers=headers)
        got = server.requests[0]["headers"]
        self.assertEqual((got["X-Key"], got["X-Title"]), (KEY, "reprise"))
        self.assertNotIn("Authorization", got)

    def test_a_header_with_a_line_break_is_refused(self):
        self.failed("ConfigInvalid", chat.streamed("x"), headers={"X": "a\r\nY: b"}, requests=0)


class Tls(Endpoint):
    def setUp(self):
        super().setUp()
        self.certificate = self.folder / "server.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self.certificate, "-out", self.folder / "ca.pem"],
            check=True, capture_output=True,
        )
        self.certificate.write_text(
            self.certificate.read_text() + (self.folder / "ca.pem").read_text()
        )

    def perform_tls(self, **config):
        with chat.Server(chat.streamed("x"), certificate=self.certificate) as server:
            return self.perform(server, **config), server

    def test_a_certificate_that_nobody_vouches_for_is_refused(self):
        done, server = self.perform_tls()
        self.assertEqual(done.value["name"], "EndpointUntrusted", done)
        self.assertEqual(server.requests, [])

    def test_unless_it_is_named_or_checking_is_off_on_this_machine(self):
        for config in ({"caFile": str(self.folder / "ca.pem")}, {"verifyTls": False}):
            done, _ = self.perform_tls(**config)
            self.assertTrue(done.ok, done)


class Slots(Endpoint):
    def test_no_more_at_a_time_than_there_are_slots(self):
        with chat.Server(chat.bytewise(chat.stream_of(*"many words"))) as server:
            processes = [self.start(server, slots=2, effect=f"t{n}") for n in range(1, 7)]
            for process in processes:
                done = self.end(process)
                self.assertTrue(done.ok, done)
        self.assertEqual(len(server.requests), 6)
        self.assertLessEqual(server.most_clients, 2)

    def test_waiting_for_one_is_bounded_and_can_be_stopped(self):
        with chat.Server(chat.hanging(b"")) as server:
            holder = self.start(server, slots=1)
            self.assertTrue(server.arrived.wait(harness.TIMEOUT_S))
            late = self.perform(server, slots=1, timeout_ms=50)
            self.assertEqual(late.value["name"], "TimeoutError")
            self.assertIn("no slot", late.value["message"])
            # Death gives the slot back, and a new endpoint answers.
            holder.kill()
            holder.communicate()
            with chat.Server(chat.streamed("x")) as other:
                self.assertTrue(self.perform(other, slots=1).ok)


class Documentation(Endpoint):
    def test_its_examples_are_configurations(self):
        text = DOCUMENTATION.read_text()
        examples = re.findall(r"```json\n(.*?)```", text, re.S)
        self.assertGreater(len(examples), 2)
        for example in examples:
            harness.validate(json.loads(example), "config")

    def test_it_names_every_member(self):
        text = DOCUMENTATION.read_text()
        members = set(harness.schema("config")["$defs"]["openai"]["properties"]) - {"type"}
        self.assertEqual({name for name in members if f"`{name}`" not in text}, set())


if __name__ == "__main__":
    harness.main()
