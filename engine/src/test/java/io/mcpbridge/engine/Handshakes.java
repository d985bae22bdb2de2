package io.mcpbridge.engine;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Outgoing;
import java.nio.charset.StandardCharsets;

/** What a test lets a server say on a connection that it holds. */
final class Handshakes {
    private Handshakes() {}

    /** The request that opens the session. */
    static Request initialize(HeldTransport connection) {
        return connection.messages().stream()
                .filter(message ->
                        message instanceof Request request && request.method().equals(Methods.INITIALIZE))
                .map(Request.class::cast)
                .findFirst()
                .orElseThrow(() -> new AssertionError("there was no handshake, only " + connection.messages()));
    }

    static void accept(HeldTransport connection) {
        answer(connection, HeldTransport.WELCOME);
    }

    static void answer(HeldTransport connection, String result) {
        connection.receive(Response.result(initialize(connection).id(), result));
    }

    /** The raw id that the bridge gave a request. */
    static String id(Outgoing out) {
        return ((Request) out.message()).id().raw();
    }

    /** Lets something come that is no message, as a transport of a byte stream reports it. */
    static void garbage(HeldTransport connection, String frame) {
        try {
            Message.scan(frame.getBytes(StandardCharsets.UTF_8), Limits.SERVER);
            throw new AssertionError("should be no message: " + frame);
        } catch (ProtocolException refused) {
            var bytes = frame.getBytes(StandardCharsets.UTF_8);
            connection.receiver().unreadable(refused, Message.readableAnswerId(bytes, Limits.SERVER));
        }
    }
}
