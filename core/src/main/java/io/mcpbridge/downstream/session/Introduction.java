package io.mcpbridge.downstream.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.downstream.registry.ClientCard;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a client has said of itself in its session: in the handshake of the legacy era, and on a byte stream perhaps in
 * requests of the modern one too. Any thread.
 */
final class Introduction {
    private volatile @Nullable ClientCard card;
    private volatile @Nullable ClientCard modernCard;
    private volatile @Nullable Caller caller;

    /**
     * The client introduces itself by {@code initialize}.
     *
     * @param completing adds to its caller what it did not say itself
     * @return what it said
     * @throws io.mcpbridge.failure.ProtocolException if it is malformed
     */
    ClientCard initialize(Request request, UnaryOperator<Caller.Builder> completing) {
        var read = ClientCard.read(request);
        caller = completing.apply(read.caller()).build();
        card = read;
        return read;
    }

    /** It has sent a request of the modern era, in which it said this of itself. */
    void modern(ClientCard said) {
        modernCard = said;
    }

    /** Whose calls its requests are; empty before the handshake. */
    Optional<Caller> caller() {
        return Optional.ofNullable(caller);
    }

    /** It wants to hear so much of the log from here on. */
    void logLevel(Caller from, LogLevel level) {
        caller = from.but().logLevel(level).build();
    }

    /** Whether its handshake is done. */
    boolean isInitialized() {
        return card != null;
    }

    /** Whether it has said who it is, in whatever era. */
    boolean isComplete() {
        return said().isPresent();
    }

    /** What it said, in the handshake if there was one. */
    Optional<ClientCard> said() {
        return Optional.ofNullable(card == null ? modernCard : card);
    }

    /** The revision that was agreed on in the handshake. */
    ProtocolVersion agreed() {
        var current = card;
        return current == null ? ProtocolVersion.LATEST_LEGACY : current.agreed();
    }

    /** Whether it can be asked this by the legacy era's way. */
    boolean canBeAsked(String method) {
        var current = card;
        return current != null && current.canBeAsked(method);
    }
}
