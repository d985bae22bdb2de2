package io.mcpbridge.engine;

import static io.mcpbridge.engine.ClientBench.say;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.testkit.RecordingReply;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client of the modern era on a byte stream: every request speaks for itself, and may stand beside legacy ones. */
class ModernStreamTest {
    private static final String CANCEL =
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}";

    private final ClientBench bench = new ClientBench();
    private final Intake stream = bench.stream();

    @Nested
    class Discovery {
        @Test
        void discoverResultDescribesTheBridge() {
            var answer = say(stream, Modern.request("\"d\"", Methods.SERVER_DISCOVER, ""))
                    .answer();

            assertThat(answer)
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":\"d\",\"result\":{\"supportedVersions\":[\"2026-07-28\"]")
                    .contains(
                            "\"capabilities\":{\"tools\":{\"listChanged\":true}",
                            "\"resultType\":\"complete\"",
                            "\"ttlMs\":0",
                            "\"cacheScope\":\"private\"",
                            "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"mcp-bridge-server\"");
        }

        @Test
        void discoverDoesNotFixTheEra() {
            say(stream, Modern.request("1", Methods.SERVER_DISCOVER, ""));

            assertThat(say(stream, ClientBench.INITIALIZE).answer()).contains("\"protocolVersion\":\"2025-06-18\"");
        }
    }

    @Nested
    class Refused {
        static Stream<Arguments> wrong() {
            return Stream.of(
                    Arguments.argumentSet(
                            "a revision that is not spoken",
                            "\"2027-01-01\"",
                            "",
                            "\"code\":-32022",
                            "\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"2027-01-01\"}"),
                    Arguments.argumentSet(
                            "a revision of the other era",
                            "\"2025-11-25\"",
                            "",
                            "\"code\":-32022",
                            "\"requested\":\"2025-11-25\""),
                    Arguments.argumentSet("a revision that is no text", "5", "", "\"code\":-32602", "protocolVersion"),
                    Arguments.argumentSet(
                            "no capabilities", "\"2026-07-28\"", "", "\"code\":-32602", "clientCapabilities"),
                    Arguments.argumentSet(
                            "capabilities that are no object",
                            "\"2026-07-28\"",
                            "," + Modern.meta("clientCapabilities", "true"),
                            "\"code\":-32602",
                            "has true"),
                    Arguments.argumentSet(
                            "a client without an object for itself",
                            "\"2026-07-28\"",
                            "," + Modern.meta("clientCapabilities", "{}") + "," + Modern.meta("clientInfo", "\"me\""),
                            "\"code\":-32602",
                            "clientInfo"),
                    Arguments.argumentSet(
                            "a client that names itself twice",
                            "\"2026-07-28\"",
                            "," + Modern.meta("clientCapabilities", "{}") + ","
                                    + Modern.meta("clientInfo", "{\"name\":\"a\",\"name\":\"b\"}"),
                            "\"code\":-32602",
                            "'_meta' cannot be read"),
                    Arguments.argumentSet(
                            "a log level that is none",
                            "\"2026-07-28\"",
                            "," + Modern.meta("clientCapabilities", "{}") + "," + Modern.meta("logLevel", "\"loud\""),
                            "\"code\":-32602",
                            "logLevel"));
        }

        @ParameterizedTest
        @MethodSource("wrong")
        void incompleteEnvelopesAreRejected(String version, String rest, String code, String words) {
            var json = "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{\"_meta\":{%s%s}}}"
                    .formatted(Modern.meta("protocolVersion", version), rest);

            assertThat(say(stream, json).answer()).contains("\"id\":4", code, words);
            assertThat(bench.calls).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "initialize",
                    "ping",
                    "logging/setLevel",
                    "resources/subscribe",
                    "resources/unsubscribe",
                    "tasks/list",
                    "roots/list"
                })
        void methodsOfTheOtherEraAreRejected(String method) {
            assertThat(say(stream, Modern.request("4", method, "")).answer())
                    .contains("\"id\":4", "-32601", "'" + method + "'");
            assertThat(bench.calls).isEmpty();
        }
    }

    @Nested
    class Calls {
        @Test
        void callerHasAllMembersThatTheClientDeclared() {
            var meta = Modern.meta("clientInfo", "{\"name\":\"me\",\"version\":\"7\"}") + ","
                    + Modern.meta("logLevel", "\"error\"") + ",\"io.mcpbridge/clientId\":\"desk\"";
            var json = Modern.request("1", "tools/call", "\"name\":\"a__b\"", meta)
                    .replace("Capabilities\":{}", "Capabilities\":{\"x\":1,\"roots\":{\"y\":2}}");

            say(stream, json);

            var caller = bench.calls.get(0).caller();
            assertThat(caller.era()).isEqualTo(Era.MODERN);
            assertThat(caller.version().text()).isEqualTo("2026-07-28");
            assertThat(caller.declared()).isEqualTo("{\"x\":1,\"roots\":{\"y\":2}}");
            assertThat(caller.capabilities()).isEqualTo("{\"roots\":{}}");
            assertThat(caller.info()).isEqualTo("{\"name\":\"me\",\"version\":\"7\"}");
            assertThat(caller.clientId()).isEqualTo("desk");
            assertThat(caller.logLevel().orElseThrow().text()).isEqualTo("error");
            assertThat(bench.calls.get(0).request().json()).isEqualTo(json);
        }

        @ParameterizedTest
        @ValueSource(strings = {"1", "\"1\"", "\"\\u0061\"", "-5", "9007199254740993"})
        void responseHasTheRequestIdByteForByte(String id) {
            var call = say(stream, Modern.callJson(id));

            bench.answer(0, "{\"x\":1.50}");

            assertThat(call.answer())
                    .startsWith(
                            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"x\":1.50,\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\""
                                    .formatted(id));
        }

        @Test
        void idInUseIsRejectedInEitherEra() {
            say(stream, ClientBench.INITIALIZE);
            var first = say(stream, Modern.callJson("1"));

            assertThat(say(stream, Modern.callJson("1")).answer()).contains("-32600", "the id 1 is in use");
            assertThat(say(stream, ClientBench.callJson("1")).answer()).contains("-32600", "the id 1 is in use");
            bench.answer(0, "{}");

            assertThat(first.answer()).contains("\"result\"");
            assertThat(bench.calls).hasSize(1);
        }

        @Test
        void idMayBeReusedAfterTheAnswer() {
            for (int i = 0; i < 1_000; i++) {
                var call = say(stream, Modern.callJson("1"));
                bench.answer(i, "{}");
                assertThat(call.answer()).contains("\"result\"");
            }
        }

        @Test
        void numericAndTextIdsAreDistinct() {
            var number = say(stream, Modern.callJson("1"));
            var text = say(stream, Modern.callJson("\"1\""));

            bench.answer(1, "{}");

            assertThat(text.answer()).contains("\"id\":\"1\"");
            assertThat(number.isEnded()).isFalse();
        }

        @Test
        void erasShareTheRequestLimit() {
            say(stream, ClientBench.INITIALIZE);
            say(stream, ClientBench.callJson("1"));
            say(stream, Modern.callJson("2"));
            say(stream, Modern.callJson("3"));

            assertThat(say(stream, Modern.callJson("4")).answer()).contains("-31006", "'limits.in-flight'");
            bench.answer(1, "{}");

            assertThat(say(stream, Modern.callJson("4")).isEnded()).isFalse();
        }

        @Test
        void cancelledCallGetsNoAnswer() {
            var call = say(stream, Modern.callJson("1"));

            say(stream, CANCEL.formatted("1"));
            bench.replies.get(0).complete(Outcome.failed(Failure.of(ErrorCode.CANCELLED, "cancelled")));

            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.CLIENT_CANCELLED);
            assertThat(call.answer()).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(strings = {"2", "\"1\"", "null", "{}"})
        void cancellationWithAnotherIdIsIgnored(String id) {
            say(stream, Modern.callJson("1"));

            say(stream, CANCEL.formatted(id));

            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
        }

        @Test
        void callOfAnotherConnectionCannotBeCancelled() {
            say(stream, Modern.callJson("1"));

            say(bench.stream(), CANCEL.formatted("1"));

            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
        }

        @Test
        void closedConnectionCancelsItsCalls() {
            say(stream, Modern.callJson("1"));

            stream.closed();

            assertThat(bench.calls.get(0).cancellation().reason()).contains(CancelReason.CLIENT_GONE);
            assertThat(bench.clients.callsInFlight()).isZero();
        }

        @Test
        void serverRequestToAClientWithoutCapabilitiesIsRejected() {
            say(stream, ClientBench.INITIALIZE);
            say(stream, Modern.callJson("1"));
            var call = bench.calls.get(0);
            var reply = new RecordingReply();

            call.caller().client().handle(call, reply);

            assertThat(reply.awaitFailure().message()).contains("cannot be asked");
        }
    }

    @Nested
    class Events {
        @Test
        void progressCarriesTheTokenOfTheClient() {
            var call = say(stream, Modern.request("1", "tools/call", "\"name\":\"a__b\"", "\"progressToken\":\"t\""));

            bench.replies.get(0).event(Notification.of(Methods.PROGRESS, "{\"progressToken\":77,\"progress\":1}"));

            assertThat(call.offered()).hasSize(1);
            assertThat(call.offered().get(0).raw(MessageField.PARAMS))
                    .contains("{\"progressToken\":\"t\",\"progress\":1}");
        }

        @Test
        void logMessagesBelowTheRequestedLevelAreDropped() {
            var silent = say(stream, Modern.callJson("1"));
            var listening = say(
                    stream,
                    Modern.request("2", "tools/call", "\"name\":\"a__b\"", Modern.meta("logLevel", "\"warning\"")));

            for (var level : new String[] {"debug", "notice", "warning", "emergency", "loud"}) {
                var message = Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"%s\",\"data\":1}".formatted(level));
                bench.replies.forEach(reply -> reply.event(message));
            }

            assertThat(silent.offered()).isEmpty();
            assertThat(listening.offered()).hasSize(2);
        }

        @Test
        void unrelatedNotificationIsNotSentOnTheStreamOfARequest() {
            var call = say(
                    stream,
                    Modern.request("1", "tools/call", "\"name\":\"a__b\"", Modern.meta("logLevel", "\"debug\"")));

            bench.replies.get(0).event(Notification.of(Methods.RESOURCES_UPDATED, "{\"uri\":\"a:b\"}"));

            assertThat(call.offered()).isEmpty();
        }
    }

    @Nested
    class Registry {
        @Test
        void registryShowsTheLatestClientInfo() {
            say(
                    stream,
                    Modern.request(
                            "1",
                            "tools/call",
                            "\"name\":\"a__b\"",
                            Modern.meta("clientInfo", "{\"name\":\"me\",\"version\":\"7\"}")));

            var record = bench.registry().get(0);

            assertThat(record.era()).isEqualTo("modern");
            assertThat(record.protocol()).isEqualTo("2026-07-28");
            assertThat(record.name()).isEqualTo("me");
            assertThat(record.version()).isEqualTo("7");
            assertThat(record.principal()).isEqualTo(Principal.ANONYMOUS);
            assertThat(record.callsInFlight()).isEqualTo(1);
        }
    }

    @Test
    void bothErasGetTheSameCapabilities() {
        var discovered = say(stream, Modern.request("1", "server/discover", "")).answer();
        var initialized = say(bench.stream(), ClientBench.INITIALIZE).answer();

        var capabilities =
                initialized.substring(initialized.indexOf("\"capabilities\":"), initialized.indexOf(",\"serverInfo\""));
        assertThat(capabilities)
                .contains("\"tools\":{\"listChanged\":true}", "\"resources\":{\"subscribe\":true,\"listChanged\":true}")
                .contains("\"prompts\":{\"listChanged\":true}", "\"completions\":{}", "\"logging\":{}");
        assertThat(discovered).contains(capabilities, "\"supportedVersions\":[\"2026-07-28\"]");
    }

    @Nested
    class HostileClient {
        @Test
        void hostileClientDoesNotDisturbAPeerOfTheOtherEra() {
            var peer = bench.greeted();
            var call = ClientBench.call(peer, "1");
            for (var json : new String[] {
                Modern.callJson("1"),
                CANCEL.formatted("1"),
                Modern.request("1", "initialize", ""),
                Modern.request("2", "server/discover", ""),
                ClientBench.INITIALIZE,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
            }) {
                say(stream, json);
            }
            stream.closed();

            bench.answer(0, "{\"mine\":true}");

            assertThat(bench.calls.get(0).cancellation().isCancelled()).isFalse();
            assertThat(call.answer()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"mine\":true}}");
        }
    }
}
