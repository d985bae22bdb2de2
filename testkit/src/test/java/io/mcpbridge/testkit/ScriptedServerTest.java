package io.mcpbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScriptedServerTest {
    private final Deadline deadline = Deadline.after(Duration.ofMinutes(1), new FakeTimekeeper());
    private final ScriptedServer server = new ScriptedServer().on(Methods.PING, "{}");
    private final RecordingReceiver receiver = new RecordingReceiver();
    private final InMemoryTransport transport = InMemoryTransport.to(server);

    @BeforeEach
    void open() {
        transport.open(receiver, deadline);
    }

    @AfterEach
    void close() {
        transport.close();
    }

    @Test
    void knownMethodIsAnsweredAtOnce() {
        send(Request.of(MessageId.of(1), Methods.PING));

        assertThat(receiver.awaitResponse(MessageId.of(1)).raw(MessageField.RESULT))
                .contains("{}");
    }

    @Test
    void otherRequestWaitsForTheTest() {
        send(Notification.of(Methods.INITIALIZED));
        send(Request.of(MessageId.of(2), Methods.TOOLS_LIST));

        var request = server.awaitRequest();
        server.answer(request, "{\"tools\":[]}");

        assertThat(request.method()).isEqualTo(Methods.TOOLS_LIST);
        assertThat(receiver.awaitResponse(MessageId.of(2)).raw(MessageField.RESULT))
                .contains("{\"tools\":[]}");
    }

    @Test
    void testMayRejectARequest() {
        send(Request.of(MessageId.of(3), Methods.TOOLS_CALL));

        server.refuse(server.awaitRequest(), -32602, "no such tool");

        assertThat(receiver.awaitResponse(MessageId.of(3)).isError()).isTrue();
    }

    @Test
    void serverSendsFirstAndDisconnects() {
        send(Notification.of(Methods.INITIALIZED));
        server.awaitNotification();

        server.send(Notification.of(Methods.TOOLS_LIST_CHANGED));
        server.cut();

        assertThat(receiver.awaitMessage()).isInstanceOf(Notification.class);
        assertThat(receiver.awaitClosed().reason()).contains("peer ended");
    }

    private void send(Message message) {
        transport.send(Outgoing.of(message, ProtocolVersion.LATEST_LEGACY, deadline));
    }
}
