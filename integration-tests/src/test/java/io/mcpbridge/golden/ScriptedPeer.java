package io.mcpbridge.golden;

import com.fasterxml.jackson.databind.JsonNode;
import io.mcpbridge.testkit.Eventually;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** A server in the hands of a script: what its playbook does not answer waits here until the script takes it. */
abstract class ScriptedPeer implements AutoCloseable {
    final Bench bench;
    final String title;
    final Playbook playbook;
    private final List<Received> waiting = new CopyOnWriteArrayList<>();

    ScriptedPeer(Bench bench, String title, Playbook playbook) {
        this.bench = bench;
        this.title = title;
        this.playbook = playbook;
    }

    /** Answers, or leaves it to the script; true if it was answered. */
    final boolean handle(JsonNode message, Received.Way way) {
        var answer = playbook.answer(message);
        if (answer.isPresent()) {
            way.last(answer.get());
        } else {
            waiting.add(new Received(message, way));
        }
        return answer.isPresent();
    }

    /** Waits for the next request or notification of a method that the playbook does not answer. */
    final Received take(String method) {
        var taken = take(method, received -> received.method().equals(method));
        awaitStreams();
        return taken;
    }

    /** Waits for an answer to a request of this server. */
    final Received takeAnswer(String id) {
        return take(
                "an answer to " + id,
                received -> !received.message().has("method") && received.id().equals(id));
    }

    private Received take(String what, Predicate<Received> wanted) {
        return Eventually.get(
                () -> "%s at %s; waiting: %s; %s".formatted(what, title, waiting, bench.report()), () -> next(wanted));
    }

    private Optional<Received> next(Predicate<Received> wanted) {
        bench.runDue();
        var found = waiting.stream().filter(wanted).findFirst();
        found.ifPresent(waiting::remove);
        return found;
    }

    /** The server's section of the configuration, without its braces. */
    abstract String section();

    /** Waits for the requests that the bridge sends beside the steps of the script. */
    void awaitStreams() {}

    /** Waits until all that the bridge sent has been recorded, once it has ended. */
    abstract void awaitEnd();

    @Override
    public abstract void close();
}
