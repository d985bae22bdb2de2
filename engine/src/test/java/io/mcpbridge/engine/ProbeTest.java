package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.RequestFailure.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers that prove that a server is alive. */
@Timeout(60)
class ProbeTest {
    private final OneServer bench = OneServer.unshared();
    private final List<String> ends = new ArrayList<>();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest(name = "{0} at the connection: {1}")
    @CsvSource({"401, alive", "403, alive", "429, alive", "503, dead"})
    void serverThatRejectsTheUserInTheHandshakeIsAlive(int status, String verdict) {
        bench.server.holdHandshakes();
        probe();

        bench.connection().fail(bench.connection().handshake(), rejectedRequest(status, Delivery.REJECTED));

        assertThat(ends).containsExactly(verdict);
    }

    @ParameterizedTest(name = "{0} as probe: {1}")
    @CsvSource({"401, alive", "404, alive", "500, dead", "502, dead"})
    void serverThatRejectsThePingIsAlive(int status, String verdict) {
        probe();

        bench.connection().fail(bench.connection().last(), rejectedRequest(status, Delivery.UNKNOWN));

        assertThat(ends).containsExactly(verdict);
    }

    @Test
    void serverThatAnswersTheHandshakeWithAnErrorIsAlive() {
        bench.server.holdHandshakes();
        probe();

        var id = Handshakes.initialize(bench.connection()).id();
        bench.connection().receive(Response.error(id, -32603, "not now"));

        assertThat(ends).containsExactly("alive");
    }

    @Test
    void serverWhoseConnectionEndsIsDead() {
        probe();

        bench.connection().end(Closed.disconnected("gone"));

        assertThat(ends).containsExactly("dead");
    }

    private void probe() {
        bench.upstream().probe(OneServer.client("alice"), new Completion() {
            @Override
            public void succeeded() {
                ends.add("alive");
            }

            @Override
            public void failed(Throwable why) {
                ends.add("dead");
            }
        });
    }

    private static RequestFailure rejectedRequest(int status, Delivery delivery) {
        var failure = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "HTTP status " + status)
                .withStatus(status)
                .withDelivery(delivery);
        return RequestFailure.of(status == 401 ? Kind.UNAUTHORIZED : Kind.REQUEST_FAILED, failure);
    }
}
