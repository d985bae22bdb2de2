package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import org.junit.jupiter.api.Test;

class PipeEstimateTest {
    private final PipeEstimate pipe = new PipeEstimate();

    @Test
    void onePageFitsIntoAnEmptyPipe() {
        assertThat(pipe.onWrite(ofLength(4096))).isTrue();
        assertThat(new PipeEstimate().onWrite(ofLength(4097))).isFalse();
    }

    @Test
    void writtenMessagesTakeRoom() {
        assertThat(pipe.onWrite(ofLength(4000))).isTrue();

        assertThat(pipe.onWrite(ofLength(96))).isTrue();
        assertThat(pipe.onWrite(ofLength(96))).isFalse();
    }

    @Test
    void answerToTheLastRequestMakesRoom() {
        pipe.onWrite(request(1));
        pipe.onWrite(request(2));

        pipe.onRead(answer(2));

        assertThat(pipe.onWrite(ofLength(4096))).isTrue();
    }

    @Test
    void answerToAnEarlierRequestMakesNoRoom() {
        pipe.onWrite(request(1));
        pipe.onWrite(request(2));

        pipe.onRead(answer(1));

        assertThat(pipe.onWrite(ofLength(4096))).isFalse();
    }

    @Test
    void messagesWrittenAfterTheLastRequestStillTakeRoom() {
        pipe.onWrite(request(1));
        pipe.onWrite(ofLength(100));

        pipe.onRead(answer(1));

        assertThat(pipe.onWrite(ofLength(3996))).isTrue();
        assertThat(pipe.onWrite(ofLength(60))).isFalse();
    }

    /** A notification that has this length with its line end. */
    private static Notification ofLength(int length) {
        var least = Notification.of("note", "{\"text\":\"\"}").length() + 1;
        return Notification.of("note", "{\"text\":\"%s\"}".formatted("x".repeat(length - least)));
    }

    private static Request request(long id) {
        return Request.of(MessageId.of(id), "echo");
    }

    private static Response answer(long id) {
        return Response.result(MessageId.of(id), "{}");
    }
}
