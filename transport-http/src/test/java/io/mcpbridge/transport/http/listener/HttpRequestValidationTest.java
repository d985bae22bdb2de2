package io.mcpbridge.transport.http.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are ambiguous, for another host or of the wrong form. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpRequestValidationTest {
    private static final String REST =
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    private static final String LENGTH = "Content-Length: " + ListenerFixture.PING.length() + "\r\n";
    private static final String BODY = "\r\n" + ListenerFixture.PING;
    private static final String HOST = "Host: localhost\r\n";

    private static ListenerFixture served;

    @BeforeAll
    static void serve() {
        served = ListenerFixture.echoing(Map.of(
                "allowed-origins", List.of("https://app.example"),
                "allowed-hosts", List.of("bridge.example", "fixed.example:7450")));
    }

    @AfterAll
    static void end() {
        served.close();
    }

    static Stream<Arguments> requests() {
        return Stream.of(
                // Origins and hosts.
                request("no origin", 200, HOST),
                request("origin of this machine", 200, HOST + "Origin: http://localhost:6274\r\n"),
                request("origin of this machine by IPv6", 200, HOST + "Origin: http://[::1]:6274\r\n"),
                request("configured origin", 200, HOST + "Origin: https://app.example\r\n"),
                request("foreign origin", 403, HOST + "Origin: https://evil.example\r\n"),
                request("configured origin with a port", 403, HOST + "Origin: https://app.example:8443\r\n"),
                request("origin that only begins like ours", 403, HOST + "Origin: http://localhost.evil.example\r\n"),
                request("origin with a user", 403, HOST + "Origin: http://localhost@evil.example\r\n"),
                request("origin of an extension", 403, HOST + "Origin: chrome-extension://localhost\r\n"),
                request("null origin", 403, HOST + "Origin: null\r\n"),
                request("empty origin", 403, HOST + "Origin: \r\n"),
                request(
                        "two origins, one foreign",
                        403,
                        HOST + "Origin: http://localhost\r\nOrigin: https://evil.example\r\n"),
                request("host by address and port", 200, "Host: 127.0.0.1:9\r\n"),
                request("host by IPv6", 200, "Host: [::1]:9\r\n"),
                request("host in capitals", 200, "HOST: LocalHost\r\n"),
                request("configured host", 200, "Host: bridge.example:1\r\n"),
                request("configured host and port", 200, "Host: fixed.example:7450\r\n"),
                request("configured host at another port", 421, "Host: fixed.example:1\r\n"),
                request("foreign host", 421, "Host: evil.example\r\n"),
                request("host with a path", 421, "Host: localhost/x\r\n"),
                request("empty host", 421, "Host: \r\n"),
                request("no host", 400, ""),
                request("two hosts", 400, HOST + HOST),
                raw(
                        "absolute target of ours",
                        200,
                        "POST http://localhost/mcp HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw(
                        "absolute target of another",
                        400,
                        "POST http://evil.example/mcp HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw(
                        "target that is only an authority",
                        400,
                        "POST localhost HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                // Headers that occur once.
                request("two sessions", 400, HOST + "Mcp-Session-Id: a\r\nMcp-Session-Id: b\r\n"),
                request("the same session twice", 400, HOST + "Mcp-Session-Id: a\r\nmcp-session-id: a\r\n"),
                request("two versions", 400, HOST + "MCP-Protocol-Version: 2025-06-18\r\n".repeat(2)),
                // Lengths.
                raw("length and chunks", 400, head(HOST + "Transfer-Encoding: chunked\r\n") + LENGTH + "\r\n0\r\n\r\n"),
                raw("two lengths", 400, head(HOST) + LENGTH + "Content-Length: 3\r\n" + BODY),
                raw("two equal lengths", 400, head(HOST) + LENGTH + LENGTH + BODY),
                raw("length of two values", 400, head(HOST) + "Content-Length: 3, 3\r\n" + BODY),
                raw("negative length", 400, head(HOST) + "Content-Length: -1\r\n" + BODY),
                raw("length with a sign", 400, head(HOST) + "Content-Length: +4\r\n" + BODY),
                raw("length in hex", 400, head(HOST) + "Content-Length: 0x4\r\n" + BODY),
                raw("length beyond all numbers", 400, head(HOST) + "Content-Length: 99999999999999999999\r\n" + BODY),
                raw("chunked in disguise", 400, head(HOST + "Transfer-Encoding: xchunked\r\n") + "\r\n0\r\n\r\n"),
                raw("chunked twice", 400, head(HOST + "Transfer-Encoding: chunked, chunked\r\n") + "\r\n0\r\n\r\n"),
                raw("compressed transfer", 400, head(HOST + "Transfer-Encoding: gzip, chunked\r\n") + "\r\n0\r\n\r\n"),
                raw("chunk size that is none", 400, head(HOST + "Transfer-Encoding: chunked\r\n") + "\r\nzz\r\n\r\n"),
                raw("negative chunk size", 400, head(HOST + "Transfer-Encoding: chunked\r\n") + "\r\n-1\r\n\r\n"),
                raw(
                        "body in chunks",
                        200,
                        head(HOST + "Transfer-Encoding: chunked\r\n") + "\r\n"
                                + Integer.toHexString(ListenerFixture.PING.length()) + "\r\n" + ListenerFixture.PING
                                + "\r\n0\r\n\r\n"),
                // Lines.
                raw("folded header", 400, head(HOST) + "X-A: 1\r\n 2\r\n" + LENGTH + BODY),
                raw(
                        "folded origin",
                        400,
                        head(HOST) + "Origin: http://localhost\r\n .evil.example\r\n" + LENGTH + BODY),
                raw("folded with a tab", 400, head(HOST) + "X-A:\r\n\t2\r\n" + LENGTH + BODY),
                raw(
                        "body that looks folded",
                        200,
                        head(HOST) + "Content-Length: " + (ListenerFixture.PING.length() + 4) + "\r\n\r\n\n \r\n"
                                + ListenerFixture.PING),
                raw("bare LF", 400, head(HOST) + "X-A: 1\nX-B: 2\r\n" + LENGTH + BODY),
                raw("bare CR", 400, head(HOST) + "X-A: 1\rX-B: 2\r\n" + LENGTH + BODY),
                raw("NUL", 400, head(HOST) + "X-A: 1\0\r\n" + LENGTH + BODY),
                raw("blank before the colon", 400, head(HOST) + "X-A : 1\r\n" + LENGTH + BODY),
                raw("header without a name", 400, head(HOST) + ": 1\r\n" + LENGTH + BODY),
                raw("request line of LF alone", 400, "POST /mcp HTTP/1.1\n" + HOST + REST + LENGTH + BODY),
                raw("tab after the method", 400, "POST\t/mcp HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("tab before the version", 400, "POST /mcp\tHTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("blank and tab after the method", 400, "POST \t/mcp HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("tab before the method", 400, "\tPOST /mcp HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("two blanks after the method", 400, "POST  /mcp HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("empty line before the request", 200, "\r\n" + head(HOST) + LENGTH + BODY),
                raw("no version", 400, "POST /mcp\r\n" + HOST + REST + LENGTH + BODY),
                raw("HTTP/1.0", 505, "POST /mcp HTTP/1.0\r\n" + HOST + REST + LENGTH + BODY),
                raw("HTTP/2 preface", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
                raw("long line", 414, "POST /" + "x".repeat(5000) + " HTTP/1.1\r\n" + HOST + LENGTH + BODY),
                raw("large header", 431, head(HOST) + "X-A: " + "x".repeat(17_000) + "\r\n" + LENGTH + BODY),
                raw("101 headers", 431, head("") + "X-A: 1\r\n".repeat(98) + HOST + LENGTH + BODY),
                raw("100 headers", 200, head("") + "X-A: 1\r\n".repeat(96) + HOST + LENGTH + BODY),
                // Forms.
                raw("another path", 404, "POST /mcpx HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("path with a query", 200, "POST /mcp?a=b HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("path above", 404, "POST /mcp/../x HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("OPTIONS", 405, "OPTIONS /mcp HTTP/1.1\r\n" + HOST + "\r\n"),
                raw("TRACE", 405, "TRACE /mcp HTTP/1.1\r\n" + HOST + "\r\n"),
                raw("PUT", 405, "PUT /mcp HTTP/1.1\r\n" + HOST + REST + LENGTH + BODY),
                raw("CONNECT", 400, "CONNECT localhost:1 HTTP/1.1\r\n" + HOST + "\r\n"),
                form("text/plain", 415, "text/plain", "*/*"),
                form("no content type", 415, "", "*/*"),
                form("json with a charset", 200, "application/json; charset=utf-8", "*/*"),
                form("json with a quoted charset", 200, "application/json ; charset=\"UTF-8\"", "*/*"),
                form("json with a foreign charset", 415, "application/json; charset=iso-8859-1", "*/*"),
                form("json with two charsets", 415, "application/json;charset=utf-8;charset=utf-16", "*/*"),
                form("another json", 415, "application/json-patch+json", "*/*"),
                form("accepts json only", 406, "application/json", "application/json"),
                form("accepts a stream only", 406, "application/json", "text/event-stream"),
                form(
                        "accepts both in another order",
                        200,
                        "application/json",
                        "text/event-stream,application/json;q=0.5"),
                form("refuses json", 406, "application/json", "text/event-stream, application/json;q=0"),
                form("accepts families", 200, "application/json", "application/*, text/*"),
                raw("GET for a page", 406, "GET /mcp HTTP/1.1\r\n" + HOST + "Accept: text/html\r\n\r\n"),
                raw("compressed body", 415, head(HOST) + "Content-Encoding: gzip\r\n" + LENGTH + BODY),
                raw("odd expectation", 417, head(HOST) + "Expect: miracles\r\n" + LENGTH + BODY),
                raw("announced too large", 413, head(HOST) + "Content-Length: 4194305\r\n\r\n"),
                body("batch", 400, "[" + ListenerFixture.PING + "]"),
                body("not JSON", 400, "{nonsense"),
                body("empty", 400, ""),
                body("two messages", 400, ListenerFixture.PING + ListenerFixture.PING),
                body("id that is null", 400, ListenerFixture.PING.replace("1,", "null,")),
                body("id that is a fraction", 400, ListenerFixture.PING.replace("1,", "1.5,")),
                body("pretty-printed", 200, ListenerFixture.PING.replace(",", ",\r\n  ")));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @DisplayName("B1, C1-C5, C10, C11, C18: an invalid request is answered with its status and no internals")
    @MethodSource("requests")
    void invalidRequestIsAnsweredWithItsStatusAndNoInternals(String name, int status, String request)
            throws IOException {
        try (var client = served.client()) {
            client.write(request);

            var response = client.response();

            assertThat(response.status()).isEqualTo(status);
            assertThat(response.body())
                    .doesNotContain("Exception")
                    .doesNotContain("io.mcpbridge")
                    .doesNotContain("netty")
                    .doesNotContain("\tat ");
            assertThat(response.headers()).doesNotContainKey("server");
            assertThat(response.headers().containsKey("access-control-allow-origin"))
                    .isEqualTo(name.equals("configured origin"));
            assertThat(response.body()).contains("jsonrpc").doesNotContain("\"id\":null");
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @DisplayName("C13: a connection closes after an unreadable request, and continues after other rejections")
    @MethodSource("requests")
    void connectionClosesOnlyAfterAnUnreadableRequest(String name, int status, String request) throws IOException {
        boolean ends = List.of(400, 413, 414, 417, 431, 505).contains(status)
                && !List.of("batch", "not JSON", "empty", "two messages", "id that is null", "id that is a fraction")
                        .contains(name);
        try (var client = served.client()) {
            client.write(request);
            var response = client.response();

            if (ends) {
                assertThat(response.headers()).containsEntry("connection", "close");
                assertThat(client.rest()).isEmpty();
            } else {
                client.send(ListenerFixture.PING);
                assertThat(client.response().status()).isEqualTo(200);
            }
        }
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("requests")
    void requestAfterAValidOneIsJudgedByItsOwnHead(String name, int status, String request) throws IOException {
        try (var client = served.client()) {
            client.write(head(HOST) + LENGTH + BODY);
            assertThat(client.response().status()).isEqualTo(200);

            client.write(request);

            assertThat(client.response().status()).isEqualTo(status);
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        try (var client = served.client()) {
            var requests = new StringBuilder();
            for (int i = 0; i < 50; i++) {
                requests.append(client.post("", ListenerFixture.PING.replace("\"id\":1", "\"id\":" + i)));
            }

            client.write(requests.toString());

            for (int i = 0; i < 50; i++) {
                assertThat(client.response().body()).contains("\"id\":" + i);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brokenRequests")
    void requestsAfterAnUnreadableOneAreIgnored(String name, String broken) throws IOException {
        try (var client = served.client()) {
            client.write(client.post("", ListenerFixture.PING) + broken + client.post("", ListenerFixture.PING));

            assertThat(client.response().status()).isEqualTo(200);
            var refused = client.response();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.headers()).containsEntry("connection", "close");
            assertThat(client.rest()).isEmpty();
        }
    }

    static Stream<Arguments> brokenRequests() {
        return Stream.of(
                Arguments.of("two lengths", head(HOST) + LENGTH + "Content-Length: 3\r\n" + BODY),
                Arguments.of("bare CR", head(HOST) + "X-A: 1\rX-B: 2\r\n" + LENGTH + BODY),
                Arguments.of("no request at all", "nonsense\r\n\r\n"),
                Arguments.of("bad chunk size", head(HOST + "Transfer-Encoding: chunked\r\n") + "\r\nzz\r\n\r\n"));
    }

    @Test
    @DisplayName("C12: a compressed body is rejected unread")
    void compressedBodyIsRejectedUnread() throws IOException {
        var bomb = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(bomb)) {
            zip.write(new byte[16 << 20]);
        }
        try (var client = served.client()) {
            client.write(head(HOST) + "Content-Encoding: gzip\r\nContent-Length: " + bomb.size() + "\r\n\r\n");
            client.socket().getOutputStream().write(bomb.toByteArray());
            assertThat(client.response().status()).isEqualTo(415);

            client.write(head(HOST) + "Content-Length: " + bomb.size() + "\r\n\r\n");
            client.socket().getOutputStream().write(bomb.toByteArray());
            assertThat(client.response().status()).isEqualTo(400);
        }
    }

    @Test
    void expectContinueIsAnsweredWith100() throws IOException {
        try (var client = served.client()) {
            var request = client.post("Expect: 100-continue\r\n", ListenerFixture.PING);
            int body = request.indexOf("{");
            client.write(request.substring(0, body));
            assertThat(client.response().status()).isEqualTo(100);

            client.write(request.substring(body));

            assertThat(client.response().status()).isEqualTo(200);
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"/mcp", "/nowhere"})
    void responseToHeadHasNoBody(String path) throws IOException {
        try (var client = served.client()) {
            client.write("HEAD " + path + " HTTP/1.1\r\n" + HOST + "\r\n");
            client.send(ListenerFixture.PING);

            var rejection = client.response();

            assertThat(rejection.status()).isEqualTo(path.equals("/mcp") ? 405 : 404);
            assertThat(rejection.headers()).doesNotContainKeys("content-length", "content-type");
            assertThat(client.response().body()).contains("\"result\"");
        }
    }

    @Test
    void connectionCloseIsHonoured() throws IOException {
        try (var client = served.client()) {
            client.write(client.post("Connection: close\r\n", ListenerFixture.PING));

            var response = client.response();

            assertThat(response.status()).isEqualTo(200);
            assertThat(response.headers()).containsEntry("connection", "close");
            assertThat(client.rest()).isEmpty();
        }
    }

    @Test
    void chunkedBodyOverTheLimitIsRejected() throws IOException {
        try (var client = served.client()) {
            client.write(head(HOST + "Transfer-Encoding: chunked\r\n") + "\r\n500000\r\n" + " ".repeat(0x500000));

            assertThat(client.response().status()).isEqualTo(413);
        }
    }

    private static String head(String headers) {
        return "POST /mcp HTTP/1.1\r\n" + headers + REST;
    }

    private static Arguments request(String name, int status, String headers) {
        return raw(name, status, head(headers) + LENGTH + BODY);
    }

    private static Arguments form(String name, int status, String type, String accept) {
        var typeLine = type.isEmpty() ? "" : "Content-Type: " + type + "\r\n";
        var head = "POST /mcp HTTP/1.1\r\n" + HOST + typeLine + "Accept: " + accept + "\r\n";
        return raw(name, status, head + LENGTH + BODY);
    }

    private static Arguments body(String name, int status, String json) {
        return raw(name, status, head(HOST) + "Content-Length: " + json.length() + "\r\n\r\n" + json);
    }

    private static Arguments raw(String name, int status, String request) {
        return Arguments.of(name, status, request);
    }
}
