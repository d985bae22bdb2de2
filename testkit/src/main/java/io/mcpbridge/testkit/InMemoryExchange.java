package io.mcpbridge.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One thing that an in-memory client sent. */
final class InMemoryExchange implements Exchange {
    private final InMemoryConnection connection;
    private final Kind kind;
    private final @Nullable Message message;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Runnable> whenAbandoned = new ArrayList<>();

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean abandoned;

    InMemoryExchange(InMemoryConnection connection, Kind kind, @Nullable Message message) {
        this.connection = connection;
        this.kind = kind;
        this.message = message;
    }

    @Override
    public Kind kind() {
        return kind;
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
    public Principal principal() {
        return Principal.ANONYMOUS;
    }

    @Override
    public void bind(String session) {}

    @Override
    public Offer offer(Message event) {
        lock.lock();
        try {
            return !ended && !abandoned && connection.write(event) ? Offer.SENT : Offer.FULL;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void end(Ending ending) {
        lock.lock();
        try {
            if (!ended && !abandoned) {
                ended = true;
                ending.message().ifPresent(connection::write);
            }
        } finally {
            lock.unlock();
        }
        connection.forget(this);
    }

    @Override
    public void onAbandoned(Runnable action) {
        lock.lock();
        try {
            if (!abandoned) {
                whenAbandoned.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
    }

    void abandon() {
        List<Runnable> due;
        lock.lock();
        try {
            if (ended || abandoned) {
                return;
            }
            abandoned = true;
            due = List.copyOf(whenAbandoned);
        } finally {
            lock.unlock();
        }
        due.forEach(Runnable::run);
    }
}
