package io.mcpbridge.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Delivers events to subscribers, on the publishing thread. Any thread may use it.
 *
 * <p>A subscriber must not block, since the publishing thread may be running a call. An exception of a subscriber is
 * logged, and the other subscribers still receive the event.
 */
public final class EventBus {
    private final List<Consumer<BridgeEvent>> subscribers = new CopyOnWriteArrayList<>();
    private final System.Logger logger;

    public EventBus(System.Logger logger) {
        this.logger = logger;
    }

    /** Delivers every later event to {@code subscriber} until the subscription is closed. */
    public Subscription subscribe(Consumer<BridgeEvent> subscriber) {
        subscribers.add(subscriber);
        return () -> subscribers.removeIf(each -> each == subscriber);
    }

    /** Whether the bus has subscribers; check this before creating an event that is costly to create. */
    public boolean hasSubscribers() {
        return !subscribers.isEmpty();
    }

    public void publish(BridgeEvent event) {
        for (var subscriber : subscribers) {
            deliver(subscriber, event);
        }
    }

    private void deliver(Consumer<BridgeEvent> subscriber, BridgeEvent event) {
        try {
            subscriber.accept(event);
        } catch (RuntimeException failed) {
            logger.log(System.Logger.Level.WARNING, "[mcp-bridge] a subscriber failed on " + event.topic(), failed);
        }
    }

    /** The registration of a subscriber. */
    public interface Subscription extends AutoCloseable {

        /** Ends the subscription; has no effect if it has ended. */
        @Override
        void close();
    }
}
