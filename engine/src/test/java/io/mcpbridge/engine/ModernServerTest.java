package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A modern server gets its metadata with each request, and answers within its era. */
class ModernServerTest {
    private final OneServer bench = OneServer.reconnecting();

    @BeforeEach
    void serveTheModernEra() {
        bench.server.modern();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void requestOfALegacyClientCarriesItsCapabilities() {
        var caller = Caller.ANONYMOUS.withSession("alice").withCapabilities("{\"roots\":{}}");

        bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\",\"_meta\":{\"traceparent\":\"00-1\"}}", caller));

        assertThat(sent().message().json())
                .contains("\"traceparent\":\"00-1\"")
                .contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"")
                .contains("\"io.modelcontextprotocol/clientCapabilities\":{\"roots\":{}}")
                .contains("\"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp-bridge\"")
                .doesNotContain("logLevel");
    }

    @Test
    void requestOfAModernClientKeepsItsDeclaration() {
        var caller = Caller.ANONYMOUS
                .withDeclaration(new Caller.Declaration(
                        ProtocolVersion.LATEST,
                        "{}",
                        "{\"extensions\":{\"x/y\":{}}}",
                        "{\"name\":\"its own\",\"version\":\"9\"}"))
                .withLogLevel(LogLevel.WARNING);

        bench.send(bench.call(
                Methods.TOOLS_CALL,
                "{\"name\":\"echo\",\"requestState\":\"s\",\"inputResponses\":{\"a\":{}},\"_meta\":{\"progressToken\":\"mine\","
                        + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}",
                caller));

        assertThat(sent().message().json())
                .contains("\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"x/y\":{}}}")
                .contains("\"io.modelcontextprotocol/clientInfo\":{\"name\":\"its own\",\"version\":\"9\"}")
                .contains("\"io.modelcontextprotocol/logLevel\":\"warning\"")
                .contains("\"requestState\":\"s\"", "\"inputResponses\":{\"a\":{}}")
                .doesNotContain("mine");
    }

    @Test
    void modernMembersAreRemovedForALegacyServer() {
        bench.server.legacy();
        var params = """
            {"name":"echo","requestState":"s","inputResponses":{},"_meta":{"traceparent":"00-1",\
            "io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{},\
            "io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"info"}}\
            """;

        bench.send(bench.call(Methods.TOOLS_CALL, params, OneServer.client("alice")));

        assertThat(sent().message().json())
                .endsWith("\"params\":{\"name\":\"echo\",\"_meta\":{\"traceparent\":\"00-1\"}}}");
    }

    @Test
    void emptyMetaIsRemovedForALegacyServer() {
        bench.server.legacy();
        var params = """
            {"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientCapabilities":{}},"name":"echo"}\
            """;

        bench.send(bench.call(Methods.TOOLS_CALL, params, OneServer.client("alice")));

        assertThat(sent().message().json()).endsWith("\"params\":{\"name\":\"echo\"}}");
    }

    @Test
    void clientsWithDifferentCapabilitiesShareOneConnection() {
        bench.send();
        var other = Caller.ANONYMOUS.withSession("bob").withCapabilities("{\"sampling\":{}}");

        bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", other));

        assertThat(bench.server.connections()).hasSize(1);
        assertThat(sent().message().json()).contains("{\"sampling\":{}}");
    }

    @Test
    void pingIsTranslatedToADiscovery() {
        var reply = bench.send(bench.call(Methods.PING, "{}", OneServer.client("")));

        assertThat(reply.awaitAnswer().json()).contains("supportedVersions");
    }

    @Test
    void arrayParamsAreRejected() {
        var reply = bench.send(bench.call("x/y", "[1]", OneServer.client("alice")));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INVALID_PARAMS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"maybe\"", "7", "null", "\"\""})
    void unknownResultTypeIsAProtocolError(String type) {
        var reply = bench.send();

        bench.connection().answer(sent(), "{\"resultType\":%s,\"content\":[]}".formatted(type));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(reply.awaitFailure().message()).contains("resultType " + type);
    }

    @Test
    void inputRequiredForAListIsAProtocolError() {
        var reply = bench.send(bench.call(Methods.TOOLS_LIST, "{}", OneServer.client("alice")));

        bench.connection().answer(sent(), "{\"resultType\":\"input_required\",\"inputRequests\":{}}");

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"content\":[]}", "{\"resultType\":\"complete\"}", "{\"resultType\":\"input_required\"}"})
    void knownResultTypesAreForwardedUnchanged(String result) {
        var reply = bench.send();

        bench.connection().answer(sent(), result);

        assertThat(reply.awaitAnswer().json()).contains("\"result\":" + result);
    }

    @Test
    void serverRequestIsRejectedAndTheConnectionKept() {
        var reply = bench.send();

        bench.connection().receive(Request.of(MessageId.of("s1"), Methods.ELICITATION_CREATE, "{}"));
        bench.connection().answer(sent(), "{\"content\":[]}");

        assertThat(bench.connection().messages())
                .anyMatch(message -> message instanceof Response answer
                        && answer.isError()
                        && answer.json().contains("\"s1\""));
        assertThat(bench.upstream().status().dropped()).isEqualTo(1);
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    @DisplayName("F17: a rejected version is negotiated again, and the call resent once")
    void rejectedVersionIsNegotiatedAgainAndTheCallResent() {
        var reply = bench.send();
        var first = bench.connection();
        bench.server.legacy();

        first.receive(Response.error(id(sent()), -32022, "no", "{\"supported\":[\"2025-11-25\"]}"));
        var second = bench.connection();
        second.answer(second.last(), "{\"content\":[]}");

        assertThat(second).isNotSameAs(first);
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void callsOnAConnectionWithARejectedVersionAreStillAnswered() {
        var other = bench.send();
        var first = bench.connection();
        var asked = first.last();
        bench.send();
        refuseVersion();

        assertThat(first.isClosed()).isFalse();
        first.answer(asked, "{\"resultType\":\"complete\",\"content\":[]}");

        assertThat(other.awaitAnswer().isError()).isFalse();
        assertThat(first.isClosed()).isTrue();
    }

    @Test
    void drainingConnectionEndsWithTheServer() {
        var other = bench.send();
        var first = bench.connection();
        bench.send();
        bench.events.subscribe(event -> {
            if (event instanceof BridgeEvent.Disconnected) {
                bench.upstream().close();
            }
        });

        refuseVersion();

        assertThat(first.isClosed()).isTrue();
        assertThat(other.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
    }

    @Test
    void repeatedVersionRejectionIsAnErrorOfTheServer() {
        var reply = bench.send();

        refuseVersion();
        refuseVersion();

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
        assertThat(bench.server.connections()).hasSize(2);
    }

    @Test
    void cancelledCallIsCancelledOnTheWire() {
        var call = Call.of(
                Request.of(MessageId.of(1), Methods.TOOLS_CALL, "{\"name\":\"echo\"}"),
                OneServer.client("alice"),
                "c-1",
                Deadline.after(Duration.ofSeconds(9), bench.time));
        bench.send(call);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(bench.connection().abandoned()).hasSize(1);
    }

    private void refuseVersion() {
        bench.connection().receive(Response.error(id(sent()), -32022, "no", "{\"supported\":[\"2026-07-28\"]}"));
    }

    private Outgoing sent() {
        return bench.connection().last();
    }

    private static MessageId id(Outgoing out) {
        return ((Request) out.message()).id();
    }
}
