package io.mcpbridge.transport.http.listener;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.RequestOrigin.Remote;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Ending;
import io.mcpbridge.spi.Exchange.Offer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Handles one JSON-RPC batch: each message is an exchange of its own, and all share one response. The response is an
 * array of answers, or an event stream if an event precedes them or they are too large to buffer. Any thread may use
 * it.
 */
final class HttpBatch {
    /** How many bytes of answers are buffered before they are sent as a stream. */
    static final int MAX_BUFFERED_BYTES = 1 << 20;

    private final HttpExchange whole;
    private final List<Part> parts;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Message> answers = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable Ending refusal;

    /** Whether one of the requests gets no answer. */
    @GuardedBy("lock")
    private boolean isUnanswered;

    @GuardedBy("lock")
    private int open;

    @GuardedBy("lock")
    private boolean isStream;

    @GuardedBy("lock")
    private long kept;

    HttpBatch(HttpExchange whole, List<Message> messages) {
        this.whole = whole;
        this.parts = messages.stream().map(Part::new).toList();
        this.open = messages.size();
    }

    /** The exchanges, one per message, in order. */
    List<? extends Exchange> parts() {
        return parts;
    }

    private Offer offer(Message event) {
        lock.lock();
        try {
            becomeStream();
            return whole.offer(event);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void becomeStream() {
        isStream = true;
        answers.forEach(this::stream);
        answers.clear();
    }

    /** Writes an answer; the connection closes if there is no room for it. */
    @GuardedBy("lock")
    private void stream(Message answer) {
        if (whole.offer(answer) == Offer.FULL) {
            whole.abort();
        }
    }

    private void ended(Ending ending) {
        Runnable finish;
        lock.lock();
        try {
            if (ending.status() >= 400 && refusal == null) {
                refusal = ending;
            }
            var answer = ending.message();
            isUnanswered |= answer.isEmpty() && ending.status() == ResponseEncoder.OK;
            if (answer.isPresent() && isStream) {
                stream(answer.get());
            } else if (answer.isPresent()) {
                keep(answer.get());
            }
            if (--open > 0) {
                return;
            }
            finish = finish();
        } finally {
            lock.unlock();
        }
        finish.run();
    }

    @GuardedBy("lock")
    private void keep(Message answer) {
        answers.add(answer);
        kept += answer.length();
        if (kept > MAX_BUFFERED_BYTES && open > 1) {
            becomeStream();
        }
    }

    /** Returns the action that ends the response; it runs without the lock. */
    @GuardedBy("lock")
    private Runnable finish() {
        var collected = List.copyOf(answers);
        // On a stream the error was written before, as one of the answers.
        var refused = isStream || collected.size() > 1 ? null : refusal;
        if (refused == null && !collected.isEmpty()) {
            return () -> whole.endAll(collected);
        }
        var otherwise = isUnanswered ? Ending.empty() : Ending.accepted();
        return () -> whole.end(refused == null ? otherwise : refused);
    }

    /** The exchange of one message; shares everything else with the others. */
    private final class Part implements Exchange {
        private final Message message;
        private final AtomicBoolean isEnded = new AtomicBoolean();

        private Part(Message message) {
            this.message = message;
        }

        @Override
        public Kind kind() {
            return Kind.MESSAGE;
        }

        @Override
        public Optional<Message> message() {
            return Optional.of(message);
        }

        @Override
        public MessageHeaders headers() {
            return whole.headers();
        }

        @Override
        public Principal principal() {
            return whole.principal();
        }

        @Override
        public Remote remote() {
            return whole.remote();
        }

        @Override
        public void bind(String session) {
            whole.bind(session);
        }

        @Override
        public Offer offer(Message event) {
            return isEnded.get() ? Offer.FULL : HttpBatch.this.offer(event);
        }

        @Override
        public void end(Ending ending) {
            if (isEnded.compareAndSet(false, true)) {
                ended(ending);
            }
        }

        @Override
        public void onAbandoned(Runnable action) {
            whole.onAbandoned(() -> {
                if (!isEnded.get()) {
                    action.run();
                }
            });
        }
    }
}
