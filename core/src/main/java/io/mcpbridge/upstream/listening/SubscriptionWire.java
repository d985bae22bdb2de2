package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Asks a server to tell of a resource, or to tell no more: in the legacy era by requests, in the modern one by what is
 * listened for. Any thread; nothing here waits.
 */
final class SubscriptionWire {
    private final SubscribedServer server;

    SubscriptionWire(SubscribedServer server) {
        this.server = server;
    }

    /** Opens the session if it must be, and asks the server to tell of the resource. */
    void subscribe(Subscription subscription, Consumer<Outcome> then) {
        var handshake = server.own(subscription.caller(), Methods.INITIALIZE, "{}");
        server.connect(subscription.place().key(), handshake, new Ended(connected -> {
            if (isError(connected)) {
                then.accept(connected);
            } else {
                ask(subscription, then);
            }
        }));
    }

    private void ask(Subscription subscription, Consumer<Outcome> then) {
        var listening = server.listening(subscription.place().key());
        if (listening.isEmpty()) {
            request(subscription, Methods.RESOURCES_SUBSCRIBE, then);
            return;
        }
        var taken = Outcome.answered(Response.result(MessageId.of(0), "{}"));
        listening
                .get()
                .want(
                        subscription.place().uri(),
                        why -> then.accept(why.<Outcome>map(Outcome::failed).orElse(taken)));
    }

    /** Asks a legacy server in the session that is there. */
    void request(Subscription subscription, String method, Consumer<Outcome> then) {
        var call = server.own(
                subscription.caller(), method, params(subscription.place().uri()));
        server.ask(subscription.place().key(), call, new Ended(then));
    }

    /** The params of a request about one resource. */
    static String params(String uri) {
        return "{\"uri\":%s}".formatted(JsonText.quote(uri));
    }

    /**
     * Asks the server to tell no more, if there is a session in which it does.
     *
     * @param isWantedElsewhere whether others want to hear of the resource, who share what a modern server tells
     */
    void unsubscribe(Subscription subscription, BooleanSupplier isWantedElsewhere, Runnable then) {
        var listening = server.listening(subscription.place().key());
        if (listening.isPresent()) {
            unwant(listening.get(), subscription.place().uri(), isWantedElsewhere);
            then.run();
        } else if (server.isConnected(subscription.place().key())) {
            request(subscription, Methods.RESOURCES_UNSUBSCRIBE, outcome -> then.run());
        } else {
            then.run();
        }
    }

    private static void unwant(Listening listening, String uri, BooleanSupplier isWantedElsewhere) {
        if (isWantedElsewhere.getAsBoolean()) {
            return;
        }
        listening.unwant(uri);
        if (isWantedElsewhere.getAsBoolean()) {
            // Somebody came in between, whose wish may just have been taken back.
            listening.want(uri, why -> {});
        }
    }

    static boolean isError(Outcome outcome) {
        return !(outcome instanceof Outcome.Answered answered)
                || answered.response().isError();
    }

    private record Ended(Consumer<Outcome> then) implements Reply {

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {
            then.accept(outcome);
        }
    }
}
