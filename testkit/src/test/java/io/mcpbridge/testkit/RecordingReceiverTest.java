package io.mcpbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordingReceiverTest {
    private final RecordingReceiver receiver = new RecordingReceiver();

    @Test
    void messagesAreTakenOneByOne() {
        receiver.message(Response.result(MessageId.of(1), "1"), Optional.empty());
        receiver.message(Response.result(MessageId.of(2), "2"), Optional.empty());

        assertThat(receiver.awaitMessage()).isSameAs(receiver.messages().get(0));
        assertThat(receiver.awaitMessage()).isSameAs(receiver.messages().get(1));
    }

    @Test
    void answerIsFoundByItsId() {
        receiver.message(Response.result(MessageId.of(1), "1"), Optional.empty());
        receiver.message(Response.result(MessageId.of("1"), "2"), Optional.empty());

        assertThat(receiver.awaitResponse(MessageId.of("1")))
                .isSameAs(receiver.messages().get(1));
    }

    @Test
    void everyClosingIsKept() {
        receiver.closed(Closed.byUs());
        receiver.closed(Closed.disconnected("again"));

        assertThat(receiver.awaitClosed()).isSameAs(receiver.closings().get(0));
        assertThat(receiver.closings()).hasSize(2);
    }
}
