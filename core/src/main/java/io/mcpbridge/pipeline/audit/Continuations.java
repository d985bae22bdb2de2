package io.mcpbridge.pipeline.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Part;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which call a client goes on with that was asked something: the {@code requestState} of the question comes back with the
 * answer. The latest questions are known, by a digest of their state. Any thread.
 */
final class Continuations {
    /** How many questions are known. */
    static final int MOST = 4_096;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, String> asked = new LinkedHashMap<>();

    /** Remembers the call if its client is asked something. */
    void ended(Call call, Outcome outcome) {
        if (outcome instanceof Outcome.Answered answered) {
            state(answered.response(), Part.RESULT_STATE).ifPresent(state -> remember(key(call, state), call));
        }
    }

    /** The correlation id of the call that asked what this one answers, or the empty string. */
    String before(Call call) {
        return state(call.request(), Part.REQUEST_STATE)
                .map(state -> find(key(call, state)))
                .orElse("");
    }

    private void remember(String key, Call call) {
        lock.lock();
        try {
            asked.put(key, call.correlationId());
            if (asked.size() > MOST) {
                asked.remove(asked.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    private String find(String key) {
        lock.lock();
        try {
            return asked.getOrDefault(key, "");
        } finally {
            lock.unlock();
        }
    }

    private static Optional<String> state(Message message, Part part) {
        return message.has(part) ? message.text(part).or(() -> message.raw(part)) : Optional.empty();
    }

    private static String key(Call call, String state) {
        var principal = call.caller().principal();
        var text = String.join("\n", principal.proof(), principal.name(), state);
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java runtime has SHA-256", impossible);
        }
    }
}
