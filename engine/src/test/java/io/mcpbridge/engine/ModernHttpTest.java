package io.mcpbridge.engine;

import static io.mcpbridge.engine.ClientBench.hand;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients of the modern era over HTTP: each request has its own exchange, and headers have to say what the body says. */
class ModernHttpTest {
    private static final String SESSION = "Mcp-Session-Id";

    private final ClientBench bench = new ClientBench();
    private final Intake http = bench.http();

    @Nested
    class Requests {
        @Test
        void requestNeedsNoSession() {
            var call = hand(http, Modern.call("1"));
            bench.answer(0, "{}");

            assertThat(call.ending().status()).isEqualTo(200);
            assertThat(call.ending().headers().asMap()).isEmpty();
            assertThat(call.sessions()).isEmpty();
            assertThat(call.answer()).contains("\"id\":1", "\"resultType\":\"complete\"");
        }

        @Test
        void concurrentRequestsMayHaveTheSameId() {
            var one = hand(http, Modern.call("1"));
            var two = hand(http, Modern.call("1"));

            bench.answer(1, "{\"n\":2}");
            bench.answer(0, "{\"n\":1}");

            assertThat(one.answer()).contains("{\"n\":1,");
            assertThat(two.answer()).contains("{\"n\":2,");
        }

        @Test
        void disconnectedClientCancelsItsRequest() {
            var left = hand(http, Modern.call("1"));
            hand(http, Modern.call("1"));

            left.abandon();

            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.CLIENT_GONE);
            assertThat(bench.calls.get(1).cancellation().isCancelled()).isFalse();
        }

        @Test
        void eachRequestHasItsOwnCaller() {
            hand(http, Modern.call("1").from(new Principal("alice", "token")));
            hand(http, Modern.call("1").from(new Principal("bob", "token")));

            assertThat(bench.calls.get(0).caller().principal().name()).isEqualTo("alice");
            assertThat(bench.calls.get(1).caller().principal().name()).isEqualTo("bob");
            assertThat(bench.calls.get(0).caller().session())
                    .isNotEqualTo(bench.calls.get(1).caller().session());
        }

        @Test
        void requestsOfOneUserWithTheSameClientInfoShareASession() {
            var alice = new Principal("alice", "token");
            hand(http, Modern.call("1").from(alice));
            hand(http, Modern.call("2").from(alice));

            assertThat(bench.calls.get(0).caller().session())
                    .startsWith("http-")
                    .isEqualTo(bench.calls.get(1).caller().session());
        }

        @Test
        void anonymousRequestsWithTheSameClientInfoShareASession() {
            hand(http, Modern.call("1"));
            hand(http, Modern.call("2"));

            assertThat(bench.calls.get(0).caller().session())
                    .isEqualTo(bench.calls.get(1).caller().session());
        }

        @Test
        void requestsAreLimitedPerPrincipal() {
            for (int i = 0; i < 3; i++) {
                hand(http, Modern.call("1"));
            }
            var refused = hand(http, Modern.call("1"));
            var other = hand(http, Modern.call("1").from(new Principal("bob", "token")));

            assertThat(refused.ending().status()).isEqualTo(429);
            assertThat(refused.answer()).contains("-31006", "'limits.in-flight'");
            assertThat(other.isEnded()).isFalse();
            bench.answer(0, "{}");
            assertThat(hand(http, Modern.call("1")).isEnded()).isFalse();
        }

        @Test
        void closingTheBridgeEndsRequests() {
            var call = hand(http, Modern.call("1"));

            bench.clients.close(CancelReason.SHUTTING_DOWN);

            assertThat(call.answer()).contains("-31009");
            assertThat(bench.clients.callsInFlight()).isZero();
        }

        @Test
        void sessionHeaderIsIgnored() {
            var call = hand(http, Modern.call("1").withHeader(SESSION, "0".repeat(32)));

            bench.answer(0, "{}");

            assertThat(call.answer()).contains("\"result\"");
        }
    }

    @Nested
    class Headers {
        private static final String REVISION = Modern.VERSION + ": 2026-07-28";
        private static final String CALL = Modern.METHOD + ": tools/call";
        private static final String TOOL = Modern.NAME + ": a__b";

        static Stream<Arguments> wrong() {
            return Stream.of(
                    Arguments.argumentSet("no version", List.of(CALL, TOOL)),
                    Arguments.argumentSet("another version", List.of(Modern.VERSION + ": 2025-11-25", CALL, TOOL)),
                    Arguments.argumentSet("no method", List.of(REVISION, TOOL)),
                    Arguments.argumentSet("capitals", List.of(REVISION, Modern.METHOD + ": TOOLS/CALL", TOOL)),
                    Arguments.argumentSet("no name", List.of(REVISION, CALL)),
                    Arguments.argumentSet("another name", List.of(REVISION, CALL, Modern.NAME + ": a__c")),
                    Arguments.argumentSet("no base64", List.of(REVISION, CALL, Modern.NAME + ": =?base64?YV9f!!?=")),
                    Arguments.argumentSet("half base64", List.of(REVISION, CALL, Modern.NAME + ": =?base64?YV9fYg?=")));
        }

        @ParameterizedTest
        @MethodSource("wrong")
        void contradictingHeadersAreRejected(List<String> headers) {
            var exchange = RecordingExchange.of(Modern.callJson("7"));
            for (var header : headers) {
                var parts = header.split(": ", 2);
                exchange = exchange.withHeader(parts[0], parts[1]);
            }

            hand(http, exchange);

            assertThat(exchange.ending().status()).isEqualTo(400);
            assertThat(exchange.answer()).contains("\"id\":7", "\"code\":-32020");
            assertThat(bench.calls).isEmpty();
        }

        @Test
        void headerMayBeEncoded() {
            var call = Modern.withHeaders(Modern.callJson("7"), "tools/call");

            hand(http, call.withHeader(Modern.NAME, "=?base64?YV9fYg==?="));

            assertThat(bench.calls).hasSize(1);
        }

        @Test
        void nameHeaderOfAReadIsTheUri() {
            var json = Modern.request("7", "resources/read", "\"uri\":\"a:b\"");

            hand(http, Modern.withHeaders(json, "resources/read").withHeader(Modern.NAME, "a:b"));
            var refused = hand(http, Modern.withHeaders(json, "resources/read"));

            assertThat(bench.calls).hasSize(1);
            assertThat(refused.answer()).contains("-32020", "'Mcp-Name' is missing", "'a:b'");
        }
    }

    @Nested
    class HeadersOfArguments {
        private static final String PARAM = "Mcp-Param-Region";

        @BeforeEach
        void theToolWantsOne() {
            bench.schemas.put(
                    "a__b",
                    "{\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"},"
                            + "\"limit\":{\"type\":\"integer\",\"x-mcp-header\":\"Limit\"}}}");
        }

        static Stream<Arguments> fitting() {
            return Stream.of(
                    Arguments.argumentSet("a text", "{\"region\":\"west\"}", PARAM, "west"),
                    Arguments.argumentSet("an encoded text", "{\"region\":\"Hello\"}", PARAM, "=?base64?SGVsbG8=?="),
                    Arguments.argumentSet(
                            "half of the markers", "{\"region\":\"=?base64?SGVsbG8=\"}", PARAM, "=?base64?SGVsbG8="),
                    Arguments.argumentSet("a number", "{\"limit\":42}", "Mcp-Param-Limit", "42"),
                    Arguments.argumentSet("a number in other words", "{\"limit\":4.2e1}", "Mcp-Param-Limit", "42"),
                    Arguments.argumentSet("nothing for null", "{\"region\":null}", "X-Other", "1"),
                    Arguments.argumentSet("one that the server did not ask for", "{}", "Mcp-Param-Other", "1"));
        }

        @ParameterizedTest
        @MethodSource("fitting")
        void matchingArgumentHeadersAreAccepted(String arguments, String header, String value) {
            hand(http, call(arguments).withHeader(header, value));

            assertThat(bench.calls).hasSize(1);
        }

        static Stream<Arguments> wrong() {
            return Stream.of(
                    Arguments.argumentSet("another text", "{\"region\":\"west\"}", PARAM, "east"),
                    Arguments.argumentSet("no header", "{\"region\":\"west\"}", "X-Other", "1"),
                    Arguments.argumentSet("no argument", "{}", PARAM, "west"),
                    Arguments.argumentSet("padding lost", "{\"region\":\"Hello\"}", PARAM, "=?base64?SGVsbG8?="),
                    Arguments.argumentSet("no base64", "{\"region\":\"Hello\"}", PARAM, "=?base64?SGVs!!!bG8=?="),
                    Arguments.argumentSet("a text that is as much as a number", "{\"region\":\"10\"}", PARAM, "1e1"),
                    Arguments.argumentSet("another number", "{\"limit\":42}", "Mcp-Param-Limit", "43"),
                    Arguments.argumentSet("an endless number", "{\"limit\":1e999999999}", "Mcp-Param-Limit", "2"));
        }

        @ParameterizedTest
        @MethodSource("wrong")
        void contradictingArgumentHeadersAreRejected(String arguments, String header, String value) {
            var refused = hand(http, call(arguments).withHeader(header, value));

            assertThat(refused.ending().status()).isEqualTo(400);
            assertThat(refused.answer()).contains("\"id\":1", "\"code\":-32020", "'Mcp-Param-");
            assertThat(bench.calls).isEmpty();
        }

        @Test
        void duplicateArgumentsAreRejected() {
            var refused = hand(http, call("{\"region\":\"a\",\"region\":\"b\"}").withHeader(PARAM, "a"));

            assertThat(refused.ending().status()).isEqualTo(400);
            assertThat(refused.answer()).contains("-32602", "'arguments' cannot be read");
        }

        private static RecordingExchange call(String arguments) {
            var json = Modern.request("1", "tools/call", "\"name\":\"a__b\",\"arguments\":" + arguments);
            return Modern.withHeaders(json, "tools/call").withHeader(Modern.NAME, "a__b");
        }
    }

    @Nested
    class Decisions {
        @Test
        void versionHeaderIsCheckedFirst() {
            var json = Modern.request("1", "ping", "").replace("2026-07-28", "v999.0.0");

            assertThat(answered(json, "2026-07-28", "ping", 400)).contains("-32020");
            assertThat(answered(json, "v999.0.0", "ping", 400))
                    .contains("-32022", "\"supported\":[\"2026-07-28\"],\"requested\":\"v999.0.0\"");
        }

        @Test
        void envelopeIsCheckedBeforeTheMethod() {
            var json = Modern.request("1", "ping", "")
                    .replace(Modern.meta("clientCapabilities", "{}"), Modern.meta("clientInfo", "{}"));

            assertThat(answered(json, "2026-07-28", "ping", 400)).contains("-32602", "clientCapabilities");
        }

        @Test
        void methodIsCheckedBeforeTheOtherHeaders() {
            var json = Modern.request("1", "initialize", "");

            assertThat(answered(json, "2026-07-28", "x", 404)).contains("\"id\":1", "-32601");
        }

        @Test
        void missingMetaKeyIsNamedIfOnlyTheHeaderIsModern() {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{}}";

            assertThat(answered(json, "2026-07-28", "server/discover", 400))
                    .contains("\"id\":1", "-32602", "io.modelcontextprotocol/protocolVersion");
        }

        @Test
        void initializeWithAModernHeaderIsRejected() {
            assertThat(answered(ClientBench.INITIALIZE, "2026-07-28", "initialize", 400))
                    .contains("-32020");
            assertThat(bench.registry()).isEmpty();
        }

        @ParameterizedTest
        @EnumSource(names = {"LISTEN", "RESUME", "END"})
        void onlyPostIsAllowed(Exchange.Kind kind) {
            var refused = hand(http, RecordingExchange.of(kind).withHeader(Modern.VERSION, "2026-07-28"));

            assertThat(refused.ending().status()).isEqualTo(405);
            assertThat(refused.ending().headers().first("Allow")).contains("POST");
        }

        @Test
        void notificationIsAcceptedAndIgnored() {
            var json = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}";
            hand(http, Modern.call("1"));

            var taken = hand(http, RecordingExchange.of(json).withHeader(Modern.VERSION, "2026-07-28"));

            assertThat(taken.ending().status()).isEqualTo(202);
            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
        }

        @Test
        void responseWithoutASessionIsRejected() {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}";

            var refused = hand(http, RecordingExchange.of(json).withHeader(Modern.VERSION, "2026-07-28"));

            assertThat(refused.ending().status()).isEqualTo(400);
        }

        private String answered(String json, String version, String method, int status) {
            var exchange = RecordingExchange.of(json)
                    .withHeader(Modern.VERSION, version)
                    .withHeader(Modern.METHOD, method);

            hand(http, exchange);

            assertThat(exchange.ending().status()).isEqualTo(status);
            return exchange.answer();
        }
    }

    @Nested
    class Errors {
        @ParameterizedTest(name = "{0}")
        @CsvSource({
            "-32700,200",
            "-32600,200",
            "-32601,404",
            "-32602,200",
            "-32603,200",
            "-32000,200",
            "-32001,200",
            "-32019,200",
            "-32020,400",
            "-32021,400",
            "-32022,400",
            "-32023,200",
            "-32042,200",
            "-31003,200",
            "7,200"
        })
        void serverErrorHasItsHttpStatus(int code, int status) {
            var call = hand(http, Modern.call("1"));

            bench.replies.get(0).complete(Outcome.answered(Response.error(MessageId.of(77), code, "no")));

            assertThat(call.ending().status()).isEqualTo(status);
            assertThat(call.answer()).contains("\"id\":1", "\"code\":" + code);
        }

        @ParameterizedTest
        @EnumSource(ErrorCode.class)
        void bridgeErrorHasItsHttpStatus(ErrorCode code) {
            var call = hand(http, Modern.call("1"));

            bench.replies.get(0).complete(Outcome.failed(Failure.of(code, "no")));

            assertThat(call.ending().status()).isEqualTo(code == ErrorCode.METHOD_NOT_FOUND ? 404 : 200);
            assertThat(call.answer()).contains("\"id\":1", "\"code\":" + code.jsonRpcCode());
        }

        @Test
        void unknownToolHasStatus200() {
            var call = hand(http, Modern.call("1"));

            bench.replies.get(0).complete(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: a__b")));

            assertThat(call.ending().status()).isEqualTo(200);
            assertThat(call.answer()).contains("-32602", "Unknown tool: a__b");
        }

        @Test
        void unknownMethodHasStatus404() {
            var call = hand(http, Modern.withHeaders(Modern.request("1", "no/such", ""), "no/such"));

            bench.replies.get(0).complete(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, "unknown method")));

            assertThat(call.ending().status()).isEqualTo(404);
            assertThat(call.answer()).contains("-32601", "\"origin\":\"mcp-bridge\"");
        }

        @Test
        void missingResourceErrorHasTheUriInItsData() {
            var json = Modern.request("1", Methods.RESOURCES_READ, "\"uri\":\"a:b\"");
            var read =
                    hand(http, Modern.withHeaders(json, Methods.RESOURCES_READ).withHeader(Modern.NAME, "a:b"));

            bench.replies
                    .get(0)
                    .complete(Outcome.answered(Response.error(MessageId.of(77), -32002, "gone", "{\"x\":1}")));

            assertThat(read.ending().status()).isEqualTo(200);
            assertThat(read.answer())
                    .contains("\"code\":-32602,\"message\":\"gone\",\"data\":{\"uri\":\"a:b\",\"x\":1}");
        }
    }

    @Nested
    class Registry {
        @Test
        void registryShowsAClientOnceDuringItsRequests() {
            var info = Modern.meta("clientInfo", "{\"name\":\"me\",\"version\":\"7\"}");
            var json = Modern.request("1", "tools/call", "\"name\":\"a__b\"", info);
            for (int i = 0; i < 2; i++) {
                hand(http, Modern.withHeaders(json, "tools/call").withHeader(Modern.NAME, "a__b"));
            }

            var records = bench.registry();

            assertThat(records).hasSize(1);
            assertThat(records.get(0).era()).isEqualTo("modern");
            assertThat(records.get(0).name()).isEqualTo("me");
            assertThat(records.get(0).network()).isEqualTo("tcp");
            assertThat(records.get(0).callsInFlight()).isEqualTo(2);
            bench.answer(0, "{}");
            bench.answer(1, "{}");
            assertThat(bench.registry()).isEmpty();
        }
    }
}
