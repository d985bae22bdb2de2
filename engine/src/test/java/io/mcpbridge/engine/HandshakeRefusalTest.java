package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A failed handshake closes the connection, and its callers receive the cause. */
class HandshakeRefusalTest {
    private final OneServer bench = OneServer.with(Map.of("reconnect-attempts", 0));

    @BeforeEach
    void answerByHand() {
        bench.server.holdHandshakes();
    }

    @AfterEach
    void close() {
        bench.close();
    }

    static Stream<Arguments> unusableAnswers() {
        return Stream.of(
                Arguments.argumentSet(
                        "a version of the modern era", "{\"protocolVersion\":\"2026-07-28\"}", "2026-07-28"),
                Arguments.argumentSet("a version of long ago", "{\"protocolVersion\":\"2023-01-01\"}", "2023-01-01"),
                Arguments.argumentSet("no version", "{\"capabilities\":{}}", "version"),
                Arguments.argumentSet("an empty version", "{\"protocolVersion\":\"\"}", "version"),
                Arguments.argumentSet("a result that is no object", "[1]", "expected an object"),
                Arguments.argumentSet(
                        "server info that is no object",
                        "{\"protocolVersion\":\"2025-11-25\",\"serverInfo\":7}",
                        "expected an object"));
    }

    @ParameterizedTest
    @MethodSource("unusableAnswers")
    void unusableHandshakeResultFailsTheCall(String result, String words) {
        var reply = bench.send();

        Handshakes.answer(bench.connection(), result);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(reply.awaitFailure().message()).contains(OneServer.NAME, words);
        assertThat(bench.connection().isClosed()).isTrue();
    }

    @Test
    void handshakeErrorFailsTheCallWithTheMessageOfTheServer() {
        var failure = failureAfter(() -> {
            var id = Handshakes.initialize(bench.connection()).id();
            bench.connection().receive(Response.error(id, -32600, "go away"));
        });

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(failure.message()).contains("refused the handshake", "go away");
    }

    @Test
    void malformedHandshakeAnswerFailsTheCallAtOnce() {
        var failure = failureAfter(() -> {
            var id = Handshakes.initialize(bench.connection()).id().raw();
            Handshakes.garbage(bench.connection(), "{\"jsonrpc\":\"2.0\",\"id\":" + id + "}");
        });

        assertThat(failure.code()).isEqualTo(ErrorCode.UPSTREAM_INVALID);
    }

    @Test
    void handshakeTimeoutFailsTheCallAndSendsNoCancellation() {
        var failure = failureAfter(() -> bench.time.advance(OneServer.TIMEOUT));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(failure.message()).contains("timed out after 30000 ms");
        assertThat(bench.connection().abandoned()).isEmpty();
        assertThat(bench.connection().isClosed()).isTrue();
    }

    @Test
    void exitDuringTheHandshakeIsReportedWithCodeAndStderr() {
        var failure = failureAfter(() -> bench.connection().end(Closed.exited(3, "cannot find module")));

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_CRASHED);
        assertThat(failure.message()).contains("exit code 3", "cannot find module");
    }

    @Test
    void exitRightAfterTheHandshakeFailsTheCall() {
        bench.server.holdHandshakes();
        var reply = bench.send();
        var connection = bench.connection();

        Handshakes.accept(connection);
        connection.end(Closed.exited(1, "bye"));

        assertThat(reply.awaitFailure().message()).contains("exit code 1");
    }

    @Test
    void failedHandshakeDegradesTheServer() {
        failureAfter(() -> bench.connection().end(Closed.exited(3, "")));

        var status = bench.upstream().status();
        assertThat(status.state()).isEqualTo(UpstreamStatus.State.DEGRADED);
        assertThat(status.error()).contains("exit code 3");
        assertThat(bench.log.lines()).anyMatch(line -> line.contains("cannot connect to server 'tools'"));
    }

    @Test
    void pingDuringTheHandshakeIsAnswered() {
        bench.send();

        bench.connection().receive(Request.of(MessageId.of(7), "ping"));

        assertThat(bench.connection().messages())
                .anyMatch(message -> message.json().equals("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}"));
    }

    @Test
    void defectInAReplyLeavesTheNewSessionOpen() {
        var call = bench.toolCall();
        bench.upstream().connect(call, new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void complete(Outcome outcome) {
                throw new IllegalArgumentException("a defect behind the session");
            }
        });
        var connection = bench.connection();

        Handshakes.accept(connection);
        bench.send();

        assertThat(bench.log.lines()).anyMatch(line -> line.contains("c-1 met a defect"));
        assertThat(connection.isClosed()).isFalse();
        assertThat(connection.requests()).hasSize(1);
    }

    private Failure failureAfter(Runnable whatHappens) {
        var reply = bench.send();
        whatHappens.run();
        assertThat(reply.outcomes()).hasSize(1);
        assertThat(bench.time.pendingAlarms()).isZero();
        return reply.awaitFailure();
    }
}
