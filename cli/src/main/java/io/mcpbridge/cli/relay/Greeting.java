package io.mcpbridge.cli.relay;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Tells a new daemon what the one before it knew, and keeps the answers from the client, who has had them. One for
 * each connection; it hears everything of it and passes the rest on.
 */
final class Greeting implements DaemonConnection.Owner {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final DaemonConnection.Owner owner;
    private final Map<MessageId, CompletableFuture<Response>> asked = new ConcurrentHashMap<>();

    Greeting(DaemonConnection.Owner owner) {
        this.owner = owner;
    }

    /** Asks one after the other, and waits for each answer. */
    void say(DaemonConnection connection, List<Request> requests) throws InterruptedException {
        for (var request : requests) {
            var answer = ask(connection, request);
            if (!request.method().equals(Methods.INITIALIZE)) {
                continue;
            }
            if (answer.isError()) {
                throw CallException.of(JsonRpcErrors.toFailure(answer));
            }
            connection.send(Notification.of(Methods.INITIALIZED));
        }
    }

    private Response ask(DaemonConnection connection, Request request) throws InterruptedException {
        var id = MessageId.of("mcp-bridge-connect-" + asked.size());
        var answer = new CompletableFuture<Response>();
        asked.put(id, answer);
        connection.send(Memory.renumbered(request, id));
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            var message = "the daemon did not answer '%s' within %d ms";
            throw CallException.of(
                    Failure.of(ErrorCode.PROVIDER_TIMEOUT, message.formatted(request.method(), PATIENCE.toMillis())));
        } catch (ExecutionException gone) {
            throw gone.getCause() instanceof CallException why
                    ? why
                    : new IllegalStateException("greeting the daemon ended in a defect", gone.getCause());
        }
    }

    @Override
    public void said(Message message) {
        var mine = message instanceof Response response ? response.id().map(asked::get) : null;
        if (mine != null && mine.isPresent()) {
            mine.get().complete((Response) message);
        } else {
            owner.said(message);
        }
    }

    @Override
    public void failed(MessageId id, Failure why) {
        var mine = asked.get(id);
        if (mine == null) {
            owner.failed(id, why);
        } else {
            mine.completeExceptionally(CallException.of(why));
        }
    }

    @Override
    public void over(DaemonConnection connection, List<Message> unsent, Closed why) {
        asked.values().forEach(answer -> answer.completeExceptionally(CallException.of(why.toFailure())));
        var theirs = unsent.stream()
                .filter(message -> !(message instanceof Request request && asked.containsKey(request.id())))
                .toList();
        owner.over(connection, theirs, why);
    }
}
