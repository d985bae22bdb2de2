package io.mcpbridge.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Keeps what a transport tells, in the order in which it comes. Any thread may use it. */
public final class RecordingReceiver implements Transport.Receiver {
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();

    @GuardedBy("lock")
    private final List<Signal> signals = new ArrayList<>();

    @GuardedBy("lock")
    private final IdentityHashMap<Message, Outgoing> streams = new IdentityHashMap<>();

    @GuardedBy("lock")
    private int taken;

    @Override
    public void written(Outgoing out) {
        add(new Signal.Written(out));
    }

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        if (inside.incrementAndGet() > 1) {
            overlaps.incrementAndGet();
        }
        lock.lock();
        try {
            stream.ifPresent(out -> streams.put(message, out));
            signals.add(new Signal.Received(message));
        } finally {
            lock.unlock();
            inside.decrementAndGet();
        }
    }

    @Override
    public void failed(Outgoing out, TransportFailure why) {
        add(new Signal.Failed(out, why));
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        add(new Signal.Unreadable(why, answerTo));
    }

    @Override
    public void closed(Closed why) {
        add(new Signal.Ended(why));
    }

    /** Everything so far, in order. */
    public List<Signal> signals() {
        lock.lock();
        try {
            return List.copyOf(signals);
        } finally {
            lock.unlock();
        }
    }

    /** The messages so far, in order. */
    public List<Message> messages() {
        return all(signal -> signal instanceof Signal.Received received ? received.message() : null);
    }

    /** The request on whose stream {@code message} came, where the transport named one. */
    public Optional<Outgoing> streamOf(Message message) {
        lock.lock();
        try {
            return Optional.ofNullable(streams.get(message));
        } finally {
            lock.unlock();
        }
    }

    public boolean isWritten(Outgoing out) {
        return signals().stream().anyMatch(each -> each instanceof Signal.Written written && written.out() == out);
    }

    /** The failure of this request, where it failed. */
    public Optional<TransportFailure> failure(Outgoing out) {
        return all(signal -> signal instanceof Signal.Failed failed && failed.out() == out ? failed.why() : null)
                .stream()
                .findFirst();
    }

    /** Each time that the end of the connection was told; there must never be two. */
    public List<Closed> closings() {
        return all(signal -> signal instanceof Signal.Ended ended ? ended.why() : null);
    }

    /** How often a message came while another was still being handed over. */
    public int overlaps() {
        return overlaps.get();
    }

    /** Waits for the next message that this method has not returned yet. */
    public Message awaitMessage() {
        return Eventually.get(() -> "a message; told so far: " + signals(), this::take);
    }

    /** Waits for the answer to the request with this id. */
    public Response awaitResponse(MessageId id) {
        return Eventually.get(() -> "the answer to " + id + "; told so far: " + signals(), () -> response(id));
    }

    public void awaitWritten(Outgoing out) {
        Eventually.holds("'written' of " + out.message(), () -> isWritten(out));
    }

    public TransportFailure awaitFailure(Outgoing out) {
        return Eventually.get(
                () -> "the failure of " + out.message() + "; told so far: " + signals(), () -> failure(out));
    }

    public Closed awaitClosed() {
        return Eventually.get(
                () -> "'closed'; told so far: " + signals(),
                () -> closings().stream().findFirst());
    }

    private Optional<Message> take() {
        var messages = messages();
        lock.lock();
        try {
            return taken < messages.size() ? Optional.of(messages.get(taken++)) : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    private Optional<Response> response(MessageId id) {
        return messages().stream()
                .filter(Response.class::isInstance)
                .map(Response.class::cast)
                .filter(each -> each.id().equals(Optional.of(id)))
                .findFirst();
    }

    private <T> List<T> all(Function<Signal, @Nullable T> pick) {
        var picked = new ArrayList<T>();
        for (var signal : signals()) {
            var value = pick.apply(signal);
            if (value != null) {
                picked.add(value);
            }
        }
        return picked;
    }

    private void add(Signal signal) {
        lock.lock();
        try {
            signals.add(signal);
        } finally {
            lock.unlock();
        }
    }
}
