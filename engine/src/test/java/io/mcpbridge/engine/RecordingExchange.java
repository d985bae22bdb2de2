package io.mcpbridge.engine;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One thing that a client sent, in the hands of a test. Any thread may use it. */
final class RecordingExchange implements Exchange {
    private final Kind kind;
    private final @Nullable Message message;
    private final MessageHeaders metadata;
    private final Principal principal;
    private final List<Message> offered = new CopyOnWriteArrayList<>();
    private final List<Ending> endings = new CopyOnWriteArrayList<>();
    private final List<String> sessions = new CopyOnWriteArrayList<>();
    private final List<Runnable> whenAbandoned = new CopyOnWriteArrayList<>();
    private final AtomicBoolean isAbandoned = new AtomicBoolean();
    private volatile Offer nextOffer = Offer.SENT;

    private RecordingExchange(Kind kind, @Nullable Message message, MessageHeaders metadata, Principal principal) {
        this.kind = kind;
        this.message = message;
        this.metadata = metadata;
        this.principal = principal;
    }

    /** A message of an anonymous client, without headers. */
    public static RecordingExchange of(String json) {
        var message = Message.scan(json.getBytes(StandardCharsets.UTF_8), Limits.CLIENT);
        return new RecordingExchange(Kind.MESSAGE, message, MessageHeaders.EMPTY, Principal.ANONYMOUS);
    }

    /** Something without a message. */
    public static RecordingExchange of(Kind kind) {
        return new RecordingExchange(kind, null, MessageHeaders.EMPTY, Principal.ANONYMOUS);
    }

    /** The same with one more header. */
    public RecordingExchange withHeader(String name, String value) {
        return new RecordingExchange(kind, message, metadata.with(name, value), principal);
    }

    /** The same from an authenticated client. */
    public RecordingExchange from(Principal newPrincipal) {
        return new RecordingExchange(kind, message, metadata, newPrincipal);
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
    public MessageHeaders headers() {
        return metadata;
    }

    @Override
    public Principal principal() {
        return principal;
    }

    @Override
    public void bind(String session) {
        sessions.add(session);
    }

    @Override
    public Offer offer(Message event) {
        if (!endings.isEmpty() || isAbandoned.get()) {
            return Offer.FULL;
        }
        if (nextOffer != Offer.FULL) {
            offered.add(event);
        }
        return nextOffer;
    }

    @Override
    public void end(Ending ending) {
        endings.add(ending);
    }

    @Override
    public void onAbandoned(Runnable action) {
        whenAbandoned.add(action);
    }

    /** From now on offers end so. */
    public void offersReturn(Offer offer) {
        nextOffer = offer;
    }

    /** The client goes away. */
    public void abandon() {
        if (isAbandoned.compareAndSet(false, true)) {
            whenAbandoned.forEach(Runnable::run);
        }
    }

    /** What was sent before the end. */
    public List<Message> offered() {
        return List.copyOf(offered);
    }

    /** Each time that the exchange was ended; there must never be two. */
    public List<Ending> endings() {
        return List.copyOf(endings);
    }

    public boolean isEnded() {
        return !endings.isEmpty();
    }

    /** The sessions that it was bound to. */
    public List<String> sessions() {
        return List.copyOf(sessions);
    }

    /** The one ending, which has to be there. */
    public Ending ending() {
        if (endings.size() != 1) {
            throw new AssertionError("the exchange should have ended once, but ended " + endings.size() + " times");
        }
        return endings.get(0);
    }

    /** The JSON of the answer, or the empty string if it ended without one. */
    public String answer() {
        return ending().message().map(Message::json).orElse("");
    }
}
