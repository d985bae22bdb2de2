package io.mcpbridge.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.connection.EraMemory.Evidence;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.RequestFailure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The era of a server on a byte stream is found out once, by asking it, and every answer has its meaning. */
class EraFindingTest {
    private static final String OUTDATED = "{\"supported\":[%s],\"requested\":\"2026-07-28\"}";

    /** Connects for calls only, so that the test causes every connection. */
    private OneServer bench = OneServer.with(Map.of("reconnect-attempts", 0));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void modernServerIsDiscoveredWithoutAHandshake() {
        bench.server.modern();

        bench.send();

        assertThat(methods(bench.connection())).containsExactly(Methods.SERVER_DISCOVER, Methods.TOOLS_CALL);
        assertThat(bench.connection().last().version().text()).isEqualTo("2026-07-28");
        assertThat(verdict()).isEqualTo("MODERN by DISCOVERED");
    }

    @Test
    void discoverRequestHasVersionClientInfoAndCapabilities() {
        bench.server.answerNothing();

        bench.send();

        assertThat(bench.connection().messages().get(0).json())
                .contains("\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"")
                .contains("\"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp-bridge\"")
                .contains("\"io.modelcontextprotocol/clientCapabilities\":{}");
    }

    @ParameterizedTest
    @ValueSource(ints = {-32601, -32602, -32600, -32000, -32020, -32021, -32001, 0})
    void otherErrorsMeanTheLegacyEra(int code) {
        bench.server.answerNothing();
        bench.send();

        bench.connection().receive(Response.error(question(bench.connection()).id(), code, "what?"));
        Handshakes.accept(bench.connection());

        assertThat(methods(bench.connection()))
                .containsExactly(Methods.SERVER_DISCOVER, Methods.INITIALIZE, Methods.INITIALIZED, Methods.TOOLS_CALL);
        assertThat(verdict()).isEqualTo("LEGACY by REFUSED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[1]", "{\"supportedVersions\":7}", "{\"supportedVersions\":[\"2025-11-25\"]}"})
    void resultWithoutModernVersionsMeansTheLegacyEra(String result) {
        bench.server.answerNothing();
        bench.send();

        bench.connection().receive(Response.result(question(bench.connection()).id(), result));

        assertThat(methods(bench.connection())).containsExactly(Methods.SERVER_DISCOVER, Methods.INITIALIZE);
    }

    @Test
    void serverThatRejectsTheVersionIsProbedOnceMore() {
        bench.server.answerNothing();
        bench.send();
        var connection = bench.connection();

        refuse(connection, "\"2025-11-25\",\"2026-07-28\"");
        var second = questions(connection).get(1);
        connection.receive(Response.result(second.id(), HeldTransport.DISCOVERED));

        assertThat(verdict()).isEqualTo("MODERN by DISCOVERED");
    }

    @Test
    void serverThatRejectsTheVersionItListsFailsTheCall() {
        bench.server.answerNothing();
        var reply = bench.send();

        refuse(bench.connection(), "\"2026-07-28\"");
        refuse(bench.connection(), "\"2026-07-28\"");

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(reply.awaitFailure().message()).contains("refuses protocol version 2026-07-28");
        assertThat(questions(bench.connection())).hasSize(2);
    }

    @Test
    void onlyLegacyVersionsMeanTheLegacyEra() {
        bench.server.answerNothing();
        bench.send();

        refuse(bench.connection(), "\"2025-06-18\",\"2025-11-25\"");

        assertThat(methods(bench.connection())).endsWith(Methods.INITIALIZE);
    }

    @Test
    void onlyUnknownModernVersionsFailWithTheirNames() {
        bench.server.answerNothing();
        var reply = bench.send();

        refuse(bench.connection(), "\"2031-01-01\"");

        assertThat(reply.awaitFailure().message()).contains("2031-01-01", "the bridge knows");
        assertThat(methods(bench.connection())).doesNotContain(Methods.INITIALIZE);
    }

    @Test
    void discoveryTimeoutMeansTheLegacyEraAndSendsNoCancellation() {
        bench.server.answerNothing();
        bench.send();

        bench.time.advance(ServerSettings.DEFAULT_DISCOVERY_TIMEOUT);
        Handshakes.accept(bench.connection());

        assertThat(bench.connection().abandoned()).isEmpty();
        assertThat(verdict()).isEqualTo("LEGACY by SILENT");
    }

    @Test
    void lateDiscoverResultIsIgnored() {
        bench.server.answerNothing();
        bench.send();
        bench.time.advance(ServerSettings.DEFAULT_DISCOVERY_TIMEOUT);

        var late = question(bench.connection()).id();
        bench.connection().receive(Response.result(late, HeldTransport.DISCOVERED));
        Handshakes.accept(bench.connection());

        assertThat(verdict()).isEqualTo("LEGACY by SILENT");
        assertThat(bench.upstream().status().dropped()).isZero();
    }

    @Test
    void serverThatExitsOnDiscoverIsRestartedWithAHandshakeAtOnce() {
        bench.server.answerNothing();
        var reply = bench.send();
        var first = bench.connection();

        bench.server.legacy();
        first.end(Closed.exited(1, "expected initialize"));
        var second = bench.connection();
        second.answer(second.last(), "{\"content\":[]}");

        assertThat(reply.awaitAnswer().json()).contains("content");
        assertThat(second).isNotSameAs(first);
        assertThat(methods(second)).doesNotContain(Methods.SERVER_DISCOVER);
        assertThat(verdict()).isEqualTo("LEGACY by ENDED");
    }

    @Test
    void serverThatExitsTwiceFailsTheCallWithItsStderr() {
        bench.server.answerNothing();
        var reply = bench.send();

        bench.connection().end(Closed.exited(1, "first"));
        bench.connection().end(Closed.exited(127, "no such module"));

        assertThat(reply.awaitFailure().message()).contains("127", "no such module");
        assertThat(bench.upstream().status().verdict()).isEmpty();
    }

    @Test
    void eraVerdictSurvivesTheConnection() {
        bench.send();
        bench.connection().end(Closed.disconnected("gone"));
        bench.time.advance(Duration.ofMinutes(1));

        bench.send();

        assertThat(bench.server.connections()).hasSize(2);
        assertThat(methods(bench.connection())).doesNotContain(Methods.SERVER_DISCOVER);
    }

    @Test
    void eraVerdictExpiresAfterADay() {
        bench.send();
        var found = bench.upstream().status().verdict().orElseThrow().since();
        bench.connection().end(Closed.disconnected("gone"));
        bench.time.advance(Duration.ofHours(24));

        bench.send();

        assertThat(methods(bench.connection())).startsWith(Methods.SERVER_DISCOVER);
        assertThat(bench.upstream().status().verdict().orElseThrow().since()).isEqualTo(found);
    }

    @Test
    @DisplayName("F17: an upgraded server that rejects the handshake is discovered again")
    void upgradedServerThatRejectsTheHandshakeIsDiscoveredAgain() {
        bench.send();
        bench.connection().end(Closed.disconnected("upgraded"));
        bench.time.advance(Duration.ofMinutes(1));
        bench.server.answerNothing();
        bench.send();

        var error = OUTDATED.formatted("\"2026-07-28\"");
        var handshake = Handshakes.initialize(bench.connection()).id();
        bench.connection().receive(Response.error(handshake, -32022, "Unsupported protocol version", error));
        bench.connection().receive(Response.result(question(bench.connection()).id(), HeldTransport.DISCOVERED));

        assertThat(verdict()).isEqualTo("MODERN by DISCOVERED");
        assertThat(bench.upstream().era()).contains(Era.MODERN);
    }

    @Test
    void modernServerWithASlowStartIsDiscoveredAgain() {
        bench.server.answerNothing();
        bench.send();
        var connection = bench.connection();
        bench.time.advance(ServerSettings.DEFAULT_DISCOVERY_TIMEOUT);

        refuseHandshake(connection);
        connection.receive(Response.result(questions(connection).get(1).id(), HeldTransport.DISCOVERED));

        assertThat(verdict()).isEqualTo("MODERN by DISCOVERED");
        assertThat(connection.last().version().text()).isEqualTo("2026-07-28");
    }

    @Test
    void serverThatRejectsEverythingIsDiscoveredTwiceAtMost() {
        bench.server.answerNothing();
        var reply = bench.send();
        var connection = bench.connection();
        bench.time.advance(ServerSettings.DEFAULT_DISCOVERY_TIMEOUT);

        refuseHandshake(connection);
        connection.receive(Response.error(questions(connection).get(1).id(), -32601, "what?"));
        refuseHandshake(connection);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(questions(connection)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ",\"data\":{}", ",\"data\":{\"supported\":[\"2025-11-25\"]}", ",\"data\":{\"supported\":7}"})
    void versionErrorCodeOfALegacyServerReachesTheCaller(String data) {
        var reply = bench.send();
        var other = bench.send();
        var connection = bench.connection();
        var asked = ((Request) connection.last().message()).id();
        connection.write(connection.last());

        var error = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32022,\"message\":\"mine\"%s}}";
        connection.receive(Message.scan(error.formatted(asked.raw(), data).getBytes(UTF_8), Limits.SERVER));

        assertThat(other.awaitAnswer().raw(MessageField.ERROR_CODE)).contains("-32022");
        assertThat(reply.isDone()).isFalse();
        assertThat(connection.isClosed()).isFalse();
        assertThat(bench.server.connections()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 404, 405, 415, 500})
    void httpErrorStatusFailsOneCallOfAModernServerOnly(int status) {
        bench.server.modern();
        var one = bench.send();
        var other = bench.send();
        var connection = bench.connection();
        var asked = connection.requests();
        asked.forEach(connection::write);

        var bare = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "status " + status)
                .withDelivery(Delivery.UNKNOWN)
                .withStatus(status);
        connection.fail(asked.get(0), RequestFailure.of(RequestFailure.Kind.REQUEST_FAILED, bare));

        assertThat(one.awaitFailure().status()).hasValue(status);
        assertThat(other.isDone()).isFalse();
        connection.answer(asked.get(1), "{\"content\":[]}");
        assertThat(other.awaitAnswer().isError()).isFalse();
    }

    @Test
    @DisplayName("F17: a downgraded server gets a handshake on its next connection")
    void downgradedServerGetsAHandshakeOnItsNextConnection() {
        bench.server.modern();
        bench.send();
        bench.connection().end(Closed.disconnected("downgraded"));
        bench.time.advance(Duration.ofMinutes(1));
        bench.server.legacy();

        bench.send();

        assertThat(verdict()).isEqualTo("LEGACY by REFUSED");
    }

    @Test
    void knownModernServerThatTimesOutIsNotTakenForALegacyOne() {
        bench.server.modern();
        bench.send();
        bench.connection().end(Closed.disconnected("restarted"));
        bench.time.advance(Duration.ofMinutes(1));
        bench.server.answerNothing();

        var reply = bench.send();
        bench.time.advance(OneServer.TIMEOUT);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(methods(bench.connection())).doesNotContain(Methods.INITIALIZE);
    }

    @Test
    void serverConfiguredAsLegacyIsNotDiscovered() {
        rebuild("legacy");

        bench.send();

        assertThat(methods(bench.connection())).startsWith(Methods.INITIALIZE);
        assertThat(bench.upstream().status().verdict().orElseThrow().evidence()).isEqualTo(Evidence.CONFIGURED);
    }

    @Test
    void serverConfiguredAsModernGetsNoHandshake() {
        rebuild("2026-07-28");

        var reply = bench.send();

        assertThat(reply.awaitFailure().message()).contains("does not speak 2026-07-28", "'auto'");
        assertThat(methods(bench.connection())).doesNotContain(Methods.INITIALIZE);
    }

    private void rebuild(String protocol) {
        bench.close();
        bench = OneServer.with(Map.of("protocol", protocol));
    }

    private String verdict() {
        var found = bench.upstream().status().verdict().orElseThrow();
        return found.era() + " by " + found.evidence();
    }

    private static void refuse(HeldTransport connection, String versions) {
        var asked = questions(connection);
        connection.receive(Response.error(
                asked.get(asked.size() - 1).id(),
                -32022,
                "Unsupported protocol version",
                OUTDATED.formatted(versions)));
    }

    private static void refuseHandshake(HeldTransport connection) {
        var handshakes = connection.messages().stream()
                .filter(message ->
                        message instanceof Request request && request.method().equals(Methods.INITIALIZE))
                .map(Request.class::cast)
                .toList();
        connection.receive(Response.error(
                handshakes.get(handshakes.size() - 1).id(),
                -32022,
                "Unsupported protocol version",
                OUTDATED.formatted("\"2026-07-28\"")));
    }

    private static Request question(HeldTransport connection) {
        return questions(connection).get(0);
    }

    private static List<Request> questions(HeldTransport connection) {
        return connection.messages().stream()
                .filter(message ->
                        message instanceof Request request && request.method().equals(Methods.SERVER_DISCOVER))
                .map(Request.class::cast)
                .toList();
    }

    private static List<String> methods(HeldTransport connection) {
        return connection.messages().stream().map(EraFindingTest::method).toList();
    }

    private static String method(Message message) {
        return message instanceof Request request ? request.method() : ((Notification) message).method();
    }
}
