package io.mcpbridge.testkit;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RequestFailure;
import io.mcpbridge.spi.Transport;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A {@link Transport.Receiver} that records all events, in order. Any thread may use it. */
public final class RecordingReceiver implements Transport.Receiver {
    private final List<Signal> signals = new CopyOnWriteArrayList<>();
    private final Map<Message, Outgoing> streams = Collections.synchronizedMap(new IdentityHashMap<>());
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();

    @Override
    public void writing(Outgoing out) {
        signals.add(new Signal.Written(out));
    }

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        if (inside.incrementAndGet() > 1) {
            overlaps.incrementAndGet();
        }
        stream.ifPresent(out -> streams.put(message, out));
        signals.add(new Signal.Received(message));
        inside.decrementAndGet();
    }

    @Override
    public void failed(Outgoing out, RequestFailure why) {
        signals.add(new Signal.Failed(out, why));
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        signals.add(new Signal.Unreadable(why, answerTo));
    }

    @Override
    public void closed(Closed why) {
        signals.add(new Signal.Ended(why));
    }

    /** The events so far, in order. */
    public List<Signal> signals() {
        return List.copyOf(signals);
    }

    /** The messages so far, in order. */
    public List<Message> messages() {
        return of(Signal.Received.class).map(Signal.Received::message).toList();
    }

    /** The request on whose stream {@code message} arrived, if the transport named one. */
    public Optional<Outgoing> streamOf(Message message) {
        return Optional.ofNullable(streams.get(message));
    }

    public boolean isWritten(Outgoing out) {
        return of(Signal.Written.class).anyMatch(written -> written.out() == out);
    }

    /** The failure of this request, if it failed. */
    public Optional<RequestFailure> failure(Outgoing out) {
        return of(Signal.Failed.class)
                .filter(failed -> failed.out() == out)
                .map(Signal.Failed::why)
                .findFirst();
    }

    /** All reported ends of the connection; there must never be two. */
    public List<Closed> closings() {
        return of(Signal.Ended.class).map(Signal.Ended::why).toList();
    }

    /** How often a message was delivered during the delivery of another one. */
    public int overlaps() {
        return overlaps.get();
    }

    /** Waits for the next message that this method has not returned yet. */
    public Message awaitMessage() {
        return Eventually.get(() -> "a message; received so far: " + signals(), this::take);
    }

    /** Waits for the response to the request with this id. */
    public Response awaitResponse(MessageId id) {
        return Eventually.get(() -> "the answer to " + id + "; received so far: " + signals(), () -> response(id));
    }

    public void awaitWritten(Outgoing out) {
        Eventually.holds("'written' of " + out.message(), () -> isWritten(out));
    }

    public RequestFailure awaitFailure(Outgoing out) {
        return Eventually.get(
                () -> "the failure of " + out.message() + "; received so far: " + signals(), () -> failure(out));
    }

    public Closed awaitClosed() {
        return Eventually.get(
                () -> "'closed'; received so far: " + signals(),
                () -> closings().stream().findFirst());
    }

    private Optional<Message> take() {
        var messages = messages();
        var index = taken.getAndUpdate(before -> Math.min(before + 1, messages.size()));
        return index < messages.size() ? Optional.of(messages.get(index)) : Optional.empty();
    }

    private Optional<Response> response(MessageId id) {
        return messages().stream()
                .filter(Response.class::isInstance)
                .map(Response.class::cast)
                .filter(each -> each.id().equals(Optional.of(id)))
                .findFirst();
    }

    private <S extends Signal> Stream<S> of(Class<S> kind) {
        return signals.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** One event of a {@link RecordingReceiver}. */
    public sealed interface Signal
            permits Signal.Written, Signal.Received, Signal.Failed, Signal.Unreadable, Signal.Ended {

        /** The first byte of a message is about to be written. */
        record Written(Outgoing out) implements Signal {}

        /** A message was received. */
        record Received(Message message) implements Signal {}

        /** A request failed. */
        record Failed(Outgoing out, RequestFailure why) implements Signal {}

        /** A received frame is not a message. */
        record Unreadable(ProtocolException why, Optional<MessageId> answerTo) implements Signal {}

        /** The connection has ended. */
        record Ended(Closed why) implements Signal {}
    }
}
