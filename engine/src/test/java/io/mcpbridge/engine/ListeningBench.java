package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.List;

/** A modern server that is listened to, and a client that subscribes to a resource of it. */
final class ListeningBench implements AutoCloseable {
    static final String URI = "file:///a";

    final OneServer one = OneServer.reconnecting();
    final RecordingAudience audience = new RecordingAudience();

    ListeningBench() {
        one.server.modern();
        one.server.declare("{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true}}");
    }

    RecordingReply subscribe() {
        return subscribe(OneServer.client("alice"), audience);
    }

    RecordingReply subscribe(Caller caller, NotificationSink listener) {
        return subscribe(caller, listener, Duration.ofMinutes(10));
    }

    /** By a client that waits this long for the server. */
    RecordingReply subscribe(Duration timeout) {
        return subscribe(OneServer.client("alice"), audience, timeout);
    }

    private RecordingReply subscribe(Caller caller, NotificationSink listener, Duration timeout) {
        var reply = new RecordingReply();
        var request = Request.of(MessageId.of("mine"), Methods.RESOURCES_SUBSCRIBE, "{\"uri\":\"" + URI + "\"}");
        var call = Call.of(request, caller, "c-1", Deadline.after(timeout, one.time));
        one.upstream().subscriptions().add(OneServer.context(call, reply), URI, listener);
        return reply;
    }

    /** The server says what it honours of a listening. */
    void acknowledge(int listen, String honoured) {
        sendChange(Methods.SUBSCRIPTIONS_ACKNOWLEDGED, listen, "\"notifications\":" + honoured + ",");
    }

    void sendChange(String method, int listen) {
        sendChange(method, listen, "");
    }

    /** The server says something in a listening, with these members of the params before {@code _meta}. */
    void sendChange(String method, int listen, String params) {
        var meta = "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}"
                .formatted(id(listens().get(listen)).raw());
        one.connection().receive(Notification.of(method, "{" + params + meta + "}"));
    }

    /** The listen requests of the latest connection. */
    List<Outgoing> listens() {
        return one.connection().requests().stream()
                .filter(out -> ((Request) out.message()).method().equals(Methods.SUBSCRIPTIONS_LISTEN))
                .toList();
    }

    static MessageId id(Outgoing out) {
        return ((Request) out.message()).id();
    }

    @Override
    public void close() {
        one.close();
    }
}
