package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.RequestFailure.Kind;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Over HTTP each request of the modern era stands alone, so "not found" and "no such method" are about it alone. */
class NotFoundTest {
    private final OneServer bench = OneServer.reconnecting();

    @BeforeEach
    void serveTheModernEraOverHttp() {
        bench.server.modern();
        bench.server.streamPerRequest();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {404, 405})
    void notFoundFailsOneRequestIfOthersWereAnswered(int status) {
        bench.send();
        bench.connection().answer(bench.connection().last(), "{\"content\":[]}");
        var other = bench.send();
        var pending = bench.connection().last();
        var reply = bench.send();

        bench.connection().fail(bench.connection().last(), notFound(status));
        bench.connection().answer(pending, "{\"content\":[]}");

        assertThat(reply.awaitFailure().status()).hasValue(status);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.REJECTED);
        assertThat(other.awaitAnswer().isError()).isFalse();
        assertThat(bench.server.connections()).hasSize(1);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {404, 405})
    void notFoundFailsOneRequestWhileOthersArePending(int status) {
        var other = bench.send();
        var pending = bench.connection().last();
        var reply = bench.send();

        bench.connection().fail(bench.connection().last(), notFound(status));
        bench.connection().answer(pending, "{\"content\":[]}");

        assertThat(reply.awaitFailure().status()).hasValue(status);
        assertThat(other.awaitAnswer().isError()).isFalse();
        assertThat(bench.server.connections()).hasSize(1);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {404, 405})
    void notFoundBeforeAnyAnswerRestartsTheNegotiation(int status) {
        var reply = bench.send();
        var first = bench.connection();
        bench.server.legacy();

        first.fail(first.last(), notFound(status));
        bench.connection().answer(bench.connection().last(), "{\"content\":[]}");

        assertThat(bench.connection()).isNotSameAs(first);
        assertThat(bench.upstream().status().verdict().orElseThrow().era().name())
                .isEqualTo("LEGACY");
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void repeatedNotFoundFailsTheRequestWithAHint() {
        var reply = bench.send();

        bench.connection().fail(bench.connection().last(), notFound(404));
        bench.connection().fail(bench.connection().last(), notFound(404));

        assertThat(reply.awaitFailure().message()).contains("check 'url'");
        assertThat(bench.server.connections()).hasSize(2);
    }

    @Test
    void methodNotFoundIsForwardedAsTheAnswer() {
        var reply = bench.send(bench.call("x/y", "{}", OneServer.client("alice")));

        var asked = (Request) bench.connection().last().message();
        bench.connection().receive(Response.error(asked.id(), -32601, "Method not found"));

        assertThat(reply.awaitAnswer().json()).contains("-32601");
        assertThat(bench.server.connections()).hasSize(1);
    }

    @Test
    void notFoundFromALegacyServerFailsOneRequest() {
        bench.server.legacy();
        var reply = bench.send();

        bench.connection().fail(bench.connection().last(), notFound(404));

        assertThat(reply.awaitFailure().status()).hasValue(404);
        assertThat(methods(bench.connection())).contains(Methods.TOOLS_CALL);
        assertThat(bench.server.connections()).hasSize(1);
    }

    private static List<String> methods(HeldTransport connection) {
        return connection.requests().stream()
                .map(out -> ((Request) out.message()).method())
                .toList();
    }

    private static RequestFailure notFound(int status) {
        var failure = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "there is nothing at this path; check 'url'")
                .withStatus(status)
                .withDelivery(Delivery.REJECTED);
        return RequestFailure.of(Kind.REQUEST_FAILED, failure);
    }
}
