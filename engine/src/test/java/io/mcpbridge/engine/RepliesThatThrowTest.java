package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Closed;
import java.util.ArrayDeque;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call whose reply throws, as a plug-in's may, costs the calls that wait with it nothing. */
class RepliesThatThrowTest {
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final OneServer bench = OneServer.with(Map.of(), work::add);

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void otherCallsFailIfTheServerIsUnreachable() {
        bench.server.unreachable(TransportException.of(Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "no such program")));
        bench.upstream().handle(bench.toolCall(), new Throwing());
        var other = bench.send();

        work.remove().run();

        assertThat(other.awaitFailure().message()).isEqualTo("no such program");
        assertThat(bench.log.lines()).contains("[mcp-bridge] call c-1 met a defect");
    }

    @Test
    void otherCallsFailIfTheServerIsClosed() {
        bench.upstream().handle(bench.toolCall(), new Throwing());
        var other = bench.send();

        bench.upstream().close();

        assertThat(other.awaitFailure().message()).contains("is closed");
    }

    @Test
    void otherCallsFailIfTheConnectionIsLost() {
        bench.upstream().handle(bench.toolCall(), new Throwing());
        var other = bench.send();
        work.remove().run();
        assertThat(bench.connection().requests()).hasSize(2);

        bench.connection().end(Closed.exited(3, "out of luck"));

        assertThat(other.awaitFailure().message()).contains("out of luck");
    }

    private static final class Throwing implements Reply {

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void complete(Outcome outcome) {
            throw new IllegalStateException("a plug-in's defect");
        }
    }
}
