package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import org.junit.jupiter.api.Test;

class WithdrawnRequestsTest {
    private final WithdrawnRequests withdrawn = new WithdrawnRequests();

    @Test
    void anAnswerIsTakenOnce() {
        withdrawn.add(MessageId.of(1));

        assertThat(withdrawn.takeAnswer(answer(1))).isTrue();
        assertThat(withdrawn.takeAnswer(answer(1))).isFalse();
    }

    @Test
    void otherAnswersAndRequestsAreNotTaken() {
        withdrawn.add(MessageId.of(1));

        assertThat(withdrawn.takeAnswer(answer(2))).isFalse();
        assertThat(withdrawn.takeAnswer(Request.of(MessageId.of(1), "ping"))).isFalse();
    }

    @Test
    void onlyTheLatestAreRemembered() {
        for (int id = 0; id <= WithdrawnRequests.REMEMBERED; id++) {
            withdrawn.add(MessageId.of(id));
        }

        assertThat(withdrawn.takeAnswer(answer(0))).isFalse();
        assertThat(withdrawn.takeAnswer(answer(1))).isTrue();
    }

    private static Response answer(long id) {
        return Response.result(MessageId.of(id), "{}");
    }
}
