package io.mcpbridge.transport.http.listener;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Remote;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Exchange.Offer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one array, each an exchange by itself, and the one response to all of them: an array of answers, or
 * an event stream if something precedes them or they are too large to be kept. Any thread may use it.
 */
final class HttpBatch {
    /** How many bytes of answers wait for the others; what is larger is sent as it comes. */
    static final int MOST_KEPT = 1 << 20;

    private final HttpExchange whole;
    private final List<Part> parts;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Message> answers = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable Ending refusal;

    /** Whether there is a request among them that gets no answer. */
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

    /** One exchange for each message, in their order. */
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

    /** An answer is never dropped: if there is no room for it, the connection ends. */
    @GuardedBy("lock")
    private void stream(Message answer) {
        if (whole.offer(answer) == Offer.FULL) {
            whole.breakOff();
        }
    }

    private void ended(Ending ending) {
        lock.lock();
        try {
            if (ending.status() >= 400 && refusal == null) {
                refusal = ending;
            }
            var answer = ending.message();
            isUnanswered |= answer.isEmpty() && ending.status() == HttpText.OK;
            if (answer.isPresent() && isStream) {
                stream(answer.get());
            } else if (answer.isPresent()) {
                keep(answer.get());
            }
            if (--open > 0) {
                return;
            }
        } finally {
            lock.unlock();
        }
        finish();
    }

    @GuardedBy("lock")
    private void keep(Message answer) {
        answers.add(answer);
        kept += answer.length();
        if (kept > MOST_KEPT && open > 1) {
            becomeStream();
        }
    }

    private void finish() {
        List<Message> collected;
        Ending refused;
        boolean unanswered;
        lock.lock();
        try {
            unanswered = isUnanswered;
            collected = List.copyOf(answers);
            // On a stream the refusal is written already, as an answer among the others.
            refused = !isStream && collected.size() < 2 ? refusal : null;
        } finally {
            lock.unlock();
        }
        if (refused != null) {
            whole.end(refused);
        } else if (collected.isEmpty()) {
            whole.end(unanswered ? Ending.empty() : Ending.accepted());
        } else {
            whole.endAll(collected);
        }
    }

    /** One of the messages, which shares everything but itself with the others. */
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
        public Metadata metadata() {
            return whole.metadata();
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
