package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import org.junit.jupiter.api.Test;

class PipeEstimateTest {
    private final WriteQueue.PipeEstimate pipe = new WriteQueue.PipeEstimate();

    @Test
    void onePageIsSureInAnEmptyPipe() {
        assertThat(pipe.hasRoomFor(4096)).isTrue();
        assertThat(pipe.hasRoomFor(4097)).isFalse();
    }

    @Test
    void whatWasWrittenTakesRoom() {
        var request = request(1);

        pipe.onWrite(request);

        assertThat(pipe.hasRoomFor(4096 - request.length() - 1)).isTrue();
        assertThat(pipe.hasRoomFor(4096 - request.length())).isFalse();
    }

    @Test
    void theAnswerToTheLastRequestMakesRoom() {
        pipe.onWrite(request(1));
        pipe.onWrite(request(2));

        pipe.onRead(answer(2));

        assertThat(pipe.hasRoomFor(4096)).isTrue();
    }

    @Test
    void theAnswerToAnEarlierRequestDoesNot() {
        pipe.onWrite(request(1));
        pipe.onWrite(request(2));

        pipe.onRead(answer(1));

        assertThat(pipe.hasRoomFor(4096)).isFalse();
    }

    @Test
    void whatWasWrittenAfterTheLastRequestStillTakesRoom() {
        var note = Notification.of("note");
        pipe.onWrite(request(1));
        pipe.onWrite(note);

        pipe.onRead(answer(1));

        assertThat(pipe.hasRoomFor(4096 - note.length() - 1)).isTrue();
        assertThat(pipe.hasRoomFor(4096)).isFalse();
    }

    private static Request request(long id) {
        return Request.of(MessageId.of(id), "echo");
    }

    private static Response answer(long id) {
        return Response.result(MessageId.of(id), "{}");
    }
}
