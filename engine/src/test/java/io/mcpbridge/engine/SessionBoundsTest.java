package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.RecordingReply;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server has so many sessions and no more, whatever its clients say of themselves. */
class SessionBoundsTest {
    private final OneServer bench = OneServer.unshared();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void principalHasSixteenSessionsAndFurtherClientsJoinOne() {
        fill("alice", 16);

        var reply = call("alice", 16);

        assertThat(bench.server.connections()).hasSize(16);
        answerAll();
        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void sessionLimitIsConfigurable() {
        try (var other = OneServer.with(Map.of("shared", false, "sessions", 2))) {
            other.send(other.call(Methods.TOOLS_CALL, "{}", caller("alice", 0)));
            var last = other.send(other.call(Methods.TOOLS_CALL, "{}", caller("alice", 1)));
            other.send(other.call(Methods.TOOLS_CALL, "{}", caller("alice", 2)));

            assertThat(last.isDone()).isFalse();
            assertThat(other.upstream().status().sessions()).isEqualTo(2);
        }
    }

    @Test
    void fullPrincipalDoesNotAffectOthers() {
        fill("alice", 16);

        assertThat(call("bob", 0).isDone()).isFalse();
    }

    @Test
    void allPrincipalsTogetherHaveSixtyFourSessions() {
        for (var name : new String[] {"alice", "bob", "carol", "dave"}) {
            fill(name, 16);
        }

        var failure = call("eve", 0).awaitFailure();

        assertThat(failure.message()).contains("64 sessions", "no server can have more");
        assertThat(bench.server.connections()).hasSize(64);
    }

    @Test
    void closeAsksAllSessionsToEndBeforeItWaits() {
        fill("alice", 4);
        var sessions = bench.server.connections();
        sessions.forEach(
                session -> session.whileClosing(() -> assertThat(sessions).allMatch(HeldTransport::isHungUp)));

        bench.upstream().close();

        assertThat(sessions).allMatch(HeldTransport::isClosed).hasSize(4);
    }

    @Test
    void transportThatThrowsOnCloseDoesNotKeepOthersOpen() {
        fill("alice", 3);
        var sessions = bench.server.connections();
        sessions.forEach(session -> session.whileHangingUp(SessionBoundsTest::fail));
        sessions.forEach(session -> session.whileClosing(SessionBoundsTest::fail));

        bench.upstream().close();

        assertThat(sessions).allMatch(HeldTransport::isHungUp).hasSize(3);
        assertThat(bench.log.lines())
                .filteredOn(line -> line.contains("failed as it was asked to end"))
                .hasSize(3);
        assertThat(bench.log.lines())
                .filteredOn(line -> line.contains("failed as it was closed"))
                .hasSize(3);
    }

    private static void fail() {
        throw new IllegalStateException("a plug-in's defect");
    }

    @Test
    void sessionIdleForTenMinutesIsEvicted() {
        fill("alice", 16);
        answerAll();
        bench.time.advance(Duration.ofMinutes(1));
        call("alice", 0);
        answerAll();
        bench.time.advance(Duration.ofMinutes(9));

        var reply = call("alice", 16);

        assertThat(reply.isDone()).isFalse();
        var connections = bench.server.connections();
        assertThat(connections.get(0).isClosed()).isFalse();
        assertThat(connections.stream().filter(HeldTransport::isClosed)).hasSize(1);
    }

    @Test
    void sessionWithASubscriptionIsNotEvictedBeforeAnother() {
        bench.server.declare("{\"resources\":{\"subscribe\":true}}");
        fill("alice", 16);
        subscribe(0);
        answerAll();
        bench.time.advance(Duration.ofMinutes(1));
        for (int kind = 1; kind < 16; kind++) {
            call("alice", kind);
        }
        answerAll();
        bench.time.advance(Duration.ofMinutes(11));

        var reply = call("alice", 16);

        assertThat(reply.isDone()).isFalse();
        var connections = bench.server.connections();
        assertThat(connections.get(0).isClosed()).isFalse();
        assertThat(connections.stream().filter(HeldTransport::isClosed)).hasSize(1);
    }

    @Test
    void sessionWithASubscriptionIsEvictedIfAllHaveOne() {
        bench.server.declare("{\"resources\":{\"subscribe\":true}}");
        fill("alice", 16);
        for (int kind = 0; kind < 16; kind++) {
            subscribe(kind);
        }
        answerAll();
        bench.time.advance(Duration.ofMinutes(11));

        assertThat(call("alice", 16).isDone()).isFalse();
        assertThat(bench.server.connections().stream().filter(HeldTransport::isClosed))
                .hasSize(1);
    }

    @Test
    void sessionWithAPendingCallIsNeverEvicted() {
        fill("alice", 16);
        bench.time.advance(Duration.ofMinutes(5));

        assertThat(call("alice", 16).isDone()).isFalse();
        assertThat(bench.server.connections()).hasSize(16).noneMatch(HeldTransport::isClosed);
    }

    @Test
    void sessionThatFailedToConnectIsEvictedAtOnce() {
        bench.server.unreachable(TransportException.unreachable("held:here", new ConnectException("refused")));
        fill("alice", 16);

        assertThat(call("alice", 16).awaitFailure().code()).isNotEqualTo(ErrorCode.OVERLOADED);
    }

    /** Calls for so many kinds of the principal's clients, which leaves each with a call under way. */
    private void fill(String principal, int kinds) {
        for (int kind = 0; kind < kinds; kind++) {
            call(principal, kind);
        }
    }

    private RecordingReply call(String principal, int kind) {
        return bench.send(bench.call(Methods.TOOLS_CALL, "{\"name\":\"echo\"}", caller(principal, kind)));
    }

    private void subscribe(int kind) {
        var call = bench.call(Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"file:///a\"}", caller("alice", kind));
        bench.upstream()
                .subscriptions()
                .add(OneServer.context(call, new RecordingReply()), "file:///a", new RecordingAudience());
    }

    private static Caller caller(String principal, int kind) {
        return Caller.ANONYMOUS
                .withPrincipal(new Principal(principal, "token"))
                .withCapabilities("{\"kind\":" + kind + "}");
    }

    private void answerAll() {
        bench.server.connections().forEach(each -> each.requests().forEach(out -> each.answer(out, "{}")));
    }
}
