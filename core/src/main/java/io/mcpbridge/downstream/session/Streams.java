package io.mcpbridge.downstream.session;

import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Offer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The exchanges on which a client listens for what belongs to no request. A message goes to one of them only, as
 * the specification demands. Any thread.
 */
final class Streams {

    /** A way to the client. */
    interface Stream {

        Offer offer(Message message);
    }

    private final List<Exchange> listening = new CopyOnWriteArrayList<>();

    void add(Exchange exchange) {
        listening.add(exchange);
        exchange.onAbandoned(() -> listening.remove(exchange));
    }

    Offer offer(Message message) {
        for (var exchange : listening) {
            var offer = exchange.offer(message);
            if (offer != Offer.FULL) {
                return offer;
            }
        }
        return Offer.FULL;
    }

    boolean isEmpty() {
        return listening.isEmpty();
    }

    void close() {
        listening.forEach(exchange -> exchange.end(Ending.empty()));
        listening.clear();
    }
}
