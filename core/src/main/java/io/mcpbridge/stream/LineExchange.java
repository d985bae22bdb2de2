package io.mcpbridge.stream;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Remote;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One line that a client sent, or the connection itself. Any thread may use it. */
final class LineExchange implements Exchange {
    private final LineConnection connection;
    private final @Nullable Message message;

    /** What to run when the client goes away, or a mark when it is too late for that. */
    private final AtomicReference<Runnable> onAbandoned = new AtomicReference<>(Mark.NOTHING);

    private LineExchange(LineConnection connection, @Nullable Message message) {
        this.connection = connection;
        this.message = message;
    }

    static LineExchange listening(LineConnection connection) {
        return new LineExchange(connection, null);
    }

    static LineExchange of(LineConnection connection, Message message) {
        return new LineExchange(connection, message);
    }

    @Override
    public Kind kind() {
        return message == null ? Kind.LISTEN : Kind.MESSAGE;
    }

    @Override
    public Optional<Message> message() {
        return Optional.ofNullable(message);
    }

    @Override
    public Metadata metadata() {
        return Metadata.EMPTY;
    }

    @Override
    public Remote remote() {
        return Remote.over(connection.peer().network());
    }

    @Override
    public Principal principal() {
        return connection.peer().principal();
    }

    /** A byte stream cannot be taken up again, so there is nothing to tie to a session. */
    @Override
    public void bind(String session) {}

    @Override
    public Offer offer(Message event) {
        return Mark.isSettled(onAbandoned.get()) ? Offer.FULL : connection.offer(event);
    }

    @Override
    public void end(Ending ending) {
        if (!Mark.isSettled(settle(Mark.ENDED))) {
            connection.exchangeEnded(this, ending);
        }
    }

    @Override
    public void onAbandoned(Runnable action) {
        var before = onAbandoned.getAndUpdate(now -> Mark.isSettled(now) ? now : both(now, action));
        if (before == Mark.ABANDONED) {
            action.run();
        }
    }

    /** The client went away before the end. */
    void abandon() {
        var action = settle(Mark.ABANDONED);
        if (!Mark.isSettled(action)) {
            action.run();
        }
    }

    /** Whether the client waits for an answer; a stream that it listens to has none before its end. */
    boolean isRequest() {
        return message instanceof Request request && !request.method().equals(Methods.SUBSCRIPTIONS_LISTEN);
    }

    /** Ends the waiting for the client, once; returns what was there before. */
    private Runnable settle(Mark mark) {
        return onAbandoned.getAndUpdate(now -> Mark.isSettled(now) ? now : mark);
    }

    private static Runnable both(Runnable one, Runnable other) {
        if (one == Mark.NOTHING) {
            return other;
        }
        return () -> {
            one.run();
            other.run();
        };
    }

    private enum Mark implements Runnable {
        NOTHING,
        ENDED,
        ABANDONED;

        static boolean isSettled(@Nullable Runnable action) {
            return action == ENDED || action == ABANDONED;
        }

        @Override
        public void run() {}
    }
}
