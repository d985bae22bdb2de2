package io.mcpbridge.upstream;

import io.mcpbridge.call.EndedSession;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Closed;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How one session ends: with its transport, with its server, because it is closed here or has no calls any more; and who
 * hears of that. Any thread.
 *
 * <p>What a transport throws as it is to end is its defect, which keeps no other session from ending: it is logged.
 */
final class SessionEnd {
    private final UpstreamSession session;
    private final FlightTable flights;
    private final ServerMessages serverMessages;
    private final System.Logger logger;
    private final AtomicReference<@Nullable Closed> closed = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> onEmpty = new AtomicReference<>();
    private volatile boolean isLeft;
    private volatile @Nullable Failure forgotten;

    SessionEnd(UpstreamSession session, FlightTable flights, ServerMessages serverMessages, System.Logger logger) {
        this.session = session;
        this.flights = flights;
        this.serverMessages = serverMessages;
        this.logger = logger;
    }

    /** Why the connection ended, once it has. */
    Optional<Closed> why() {
        return Optional.ofNullable(closed.get());
    }

    boolean isOver() {
        return closed.get() != null;
    }

    /** Whether we have begun to end it, after which nobody minds what the server does not take. */
    boolean isLeft() {
        return isLeft;
    }

    /** The server does not know the session any more, so it did not end in good order, whoever closes it. */
    void forgotten(Failure why) {
        forgotten = why;
    }

    /** The connection is over. */
    void closed(Closed why) {
        if (!closed.compareAndSet(null, why)) {
            // It was given up before its transport had ended.
            return;
        }
        serverMessages.closed();
        session.attendants().close();
        flights.takeAll().forEach(flight -> lose(flight, why.toFailure().withDelivery(flight.deliveryWithoutAnswer())));
        session.listener().closed(session, why);
        session.version().ifPresent(version -> tell(version, why));
    }

    /** What the reply of one call throws is a plug-in's defect, which keeps no other call from hearing. */
    private void lose(Flight flight, Failure why) {
        try {
            session.end(flight, why);
        } catch (RuntimeException defect) {
            log("a call of server '%s' failed as it was told", defect);
        }
    }

    /** Tells those who watch, where there was a session: modern requests over HTTP need none. */
    private void tell(ProtocolVersion version, Closed why) {
        if (session.isModern() && !session.sharesStream()) {
            return;
        }
        session.listener().bystanders().ended(() -> {
            var traits = session.transport().traits();
            var ended = EndedSession.withServer(
                            session.server(), version, session.use().age())
                    .over(traits.network(), traits.address());
            var lost = forgotten;
            if (lost != null) {
                return ended.failed(lost);
            }
            return isLeft ? ended : ended.failed(why.toFailure());
        });
    }

    /** Runs {@code action} once, when no call is under way any more. */
    void whenEmpty(Runnable action) {
        session.attendants().deafen();
        onEmpty.set(action);
        lookIfEmpty();
    }

    /** A call has ended. */
    void lookIfEmpty() {
        if (onEmpty.get() != null && flights.calls() == 0) {
            Optional.ofNullable(onEmpty.getAndSet(null)).ifPresent(Runnable::run);
        }
    }

    /** Asks the server to end, without waiting. */
    void hangUp() {
        leave();
        try {
            session.transport().hangUp();
        } catch (RuntimeException defect) {
            log("the transport of server '%s' failed as it was asked to end; it is closed all the same", defect);
        }
    }

    /** Ends the connection by {@code closing} its transport. */
    void close(Runnable closing) {
        leave();
        try {
            closing.run();
        } catch (RuntimeException defect) {
            log("the transport of server '%s' failed as it was closed", defect);
        } finally {
            closed(Closed.byUs());
        }
    }

    private void leave() {
        isLeft = true;
        // A transport takes its time to close, in which nobody is to take the silence for the server's.
        session.attendants().rest();
    }

    private void log(String words, RuntimeException defect) {
        logger.log(Level.ERROR, "[mcp-bridge] " + words.formatted(session.server()), defect);
    }
}
