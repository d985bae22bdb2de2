package io.mcpbridge.cli.relay;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What daemons have asked the client, under ids of our own: an answer to one daemon never reaches the next, which may
 * use the same ids. Any thread.
 */
final class OpenQuestions {
    private final AtomicLong last = new AtomicLong();
    private final Map<MessageId, MessageId> theirs = new ConcurrentHashMap<>();

    /** The question as the client gets it. */
    Request asked(Request question) {
        var id = MessageId.of("ask-" + last.incrementAndGet());
        theirs.put(id, question.id());
        return Memory.renumbered(question, id);
    }

    /** The answer as the daemon gets it; empty if it waits for none. */
    Optional<Response> answered(Response answer) {
        return answer.id().map(theirs::remove).map(id ->
                (Response) answer.splice().id(id).done());
    }

    /** The daemon waits no longer; the words to the client, empty if it was not asked. */
    Optional<Notification> withdrawn(Notification cancelled) {
        var id = cancelled.raw(Part.CANCELLED_ID).flatMap(MessageId::parse);
        return theirs.entrySet().stream()
                .filter(entry -> id.filter(entry.getValue()::equals).isPresent())
                .map(Map.Entry::getKey)
                .findFirst()
                .map(ours -> forget(ours, cancelled));
    }

    private Notification forget(MessageId ours, Notification cancelled) {
        theirs.remove(ours);
        return (Notification)
                cancelled.splice().replace(Part.CANCELLED_ID, ours.raw()).done();
    }

    /** The daemon is gone; the words to the client for each open question. */
    List<Notification> forgetAll() {
        var all = List.copyOf(theirs.keySet());
        all.forEach(theirs::remove);
        return all.stream()
                .map(id -> Notification.of(
                        Methods.CANCELLED, "{\"requestId\":%s,\"reason\":\"the daemon was lost\"}".formatted(id.raw())))
                .toList();
    }
}
