package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import org.junit.jupiter.api.Test;

class PipeRoomTest {
    private final PipeRoom room = new PipeRoom();

    @Test
    void onePageIsSureInAnEmptyPipe() {
        assertThat(room.isFor(4096)).isTrue();
        assertThat(room.isFor(4097)).isFalse();
    }

    @Test
    void whatWasWrittenTakesRoom() {
        var request = request(1);

        room.took(request);

        assertThat(room.isFor(4096 - request.length() - 1)).isTrue();
        assertThat(room.isFor(4096 - request.length())).isFalse();
    }

    @Test
    void theAnswerToTheLastRequestMakesRoom() {
        room.took(request(1));
        room.took(request(2));

        room.heard(answer(2));

        assertThat(room.isFor(4096)).isTrue();
    }

    @Test
    void theAnswerToAnEarlierRequestDoesNot() {
        room.took(request(1));
        room.took(request(2));

        room.heard(answer(1));

        assertThat(room.isFor(4096)).isFalse();
    }

    @Test
    void whatWasWrittenAfterTheLastRequestStillTakesRoom() {
        var note = Notification.of("note");
        room.took(request(1));
        room.took(note);

        room.heard(answer(1));

        assertThat(room.isFor(4096 - note.length() - 1)).isTrue();
        assertThat(room.isFor(4096)).isFalse();
    }

    private static Request request(long id) {
        return Request.of(MessageId.of(id), "echo");
    }

    private static Response answer(long id) {
        return Response.result(MessageId.of(id), "{}");
    }
}
