package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several rounds of one call of a modern server, in one process where that is still there. */
class IsolatedRoundsTest {
    private final IsolatedServer bench = new IsolatedServer();

    @AfterEach
    void close() {
        bench.close();
    }

    private static final String ASKS =
            "{\"resultType\":\"input_required\",\"inputRequests\":{},\"requestState\":\"first\"}";

    @Test
    void roundsOfOneCallShareAProcess() {
        bench.one().server.modern();
        var first = bench.send();
        var session = bench.one().server.connection();
        session.answer(session.last(), ASKS);
        assertThat(first.isDone()).isTrue();
        assertThat(session.isClosed()).isFalse();

        bench.send(bench.call("{\"name\":\"echo\",\"requestState\":\"first\",\"inputResponses\":{}}"));

        assertThat(session.requests()).hasSize(2);
        session.answer(session.last(), "{\"resultType\":\"complete\",\"content\":[]}");
        assertThat(session.isClosed()).isTrue();
    }

    @Test
    void nextRoundUsesAnotherProcessAfterTheFirstExpired() {
        bench.one().server.modern();
        bench.send();
        var session = bench.one().server.connection();
        session.answer(session.last(), ASKS);

        bench.one().time.advance(Duration.ofMinutes(10));

        assertThat(session.isClosed()).isTrue();
        bench.send(bench.call("{\"name\":\"echo\",\"requestState\":\"first\"}"));
        assertThat(bench.one().server.connection().requests()).hasSize(1);
    }

    @Test
    void otherToolUsesAnotherProcess() {
        bench.one().server.modern();
        bench.send();
        var session = bench.one().server.connection();
        session.answer(session.last(), ASKS);

        bench.send(bench.call("{\"name\":\"other\",\"requestState\":\"first\"}"));

        assertThat(session.requests()).hasSize(1);
        assertThat(bench.one().server.connection().requests()).hasSize(1);
    }

    @Test
    void endedProcessIsNotReservedForTheNextRound() {
        bench.one().server.modern();
        bench.one().upstream().handle(bench.toolCall(), new Reply() {
            @Override
            public void event(Message progressOrLog) {}

            @Override
            public void complete(Outcome outcome) {
                bench.session(0).end(Closed.exited(0, ""));
            }
        });

        bench.session(0).answer(bench.session(0).last(), ASKS);

        assertThat(bench.reading("isolation.busy")).isEqualTo("0 of at most 2");
    }

    @Test
    void reservedProcessIsEvictedForAnotherCall() {
        bench.one().server.modern();
        bench.send();
        var oldest = bench.one().server.connection();
        oldest.answer(oldest.last(), ASKS);
        bench.send();

        var third = bench.send();

        assertThat(oldest.isClosed()).isTrue();
        var newest = bench.one().server.connection();
        newest.answer(newest.last(), "{\"resultType\":\"complete\",\"content\":[]}");
        assertThat(third.awaitAnswer().isError()).isFalse();
    }
}
