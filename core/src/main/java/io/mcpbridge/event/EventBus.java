package io.mcpbridge.event;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Passes events to subscribers, on the publishing thread. Any thread may use it.
 *
 * <p>A subscriber must not wait, since a call may be behind it. One that throws is logged and the others are
 * still told.
 */
public final class EventBus {
    private final List<Consumer<BridgeEvent>> subscribers = new CopyOnWriteArrayList<>();
    private final System.Logger logger;

    public EventBus(System.Logger logger) {
        this.logger = logger;
    }

    /** Tells {@code subscriber} of every event from now on, until the subscription is closed. */
    public Subscription subscribe(Consumer<BridgeEvent> subscriber) {
        subscribers.add(subscriber);
        return () -> subscribers.removeIf(each -> each == subscriber);
    }

    /** Whether anybody would hear an event, for events that cost something to make. */
    public boolean hasSubscribers() {
        return !subscribers.isEmpty();
    }

    public void publish(BridgeEvent event) {
        for (var subscriber : subscribers) {
            tell(subscriber, event);
        }
    }

    private void tell(Consumer<BridgeEvent> subscriber, BridgeEvent event) {
        try {
            subscriber.accept(event);
        } catch (RuntimeException failed) {
            logger.log(System.Logger.Level.WARNING, "[mcp-bridge] a subscriber failed on " + event.topic(), failed);
        }
    }

    /** A standing wish to be told. */
    public interface Subscription extends AutoCloseable {

        /** Ends it; harmless when it has ended. */
        @Override
        void close();
    }
}
