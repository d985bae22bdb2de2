package io.mcpbridge.upstream.toolcalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call that has a process for itself ends once. */
class IsolatedReplyTest {
    private static final Outcome ENDED = Outcome.failed(Failure.of(ErrorCode.CANCELLED, "withdrawn"));

    private final List<Outcome> left = new ArrayList<>();

    @Test
    void whatIsToldAfterTheEndIsNotHeard() {
        var told = new ArrayList<Outcome>();
        var reply = new IsolatedReply(new Failing(told), () -> {}, left::add);
        assertThatThrownBy(() -> reply.done(ENDED)).hasMessage("a defect");

        reply.done(Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "a defect")));

        assertThat(told).containsExactly(ENDED);
        assertThat(left).containsExactly(ENDED);
    }

    /** Keeps what it is told, and fails then. */
    private record Failing(List<Outcome> told) implements Reply {

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {
            told.add(outcome);
            throw new IllegalStateException("a defect");
        }
    }
}
