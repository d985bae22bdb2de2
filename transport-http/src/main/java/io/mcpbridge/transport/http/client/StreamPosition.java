package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.JitteredBackoff;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The last event that was read from a stream, so that the stream can be resumed. Used by one thread at a time. */
final class StreamPosition {
    private static final int MOST_REMEMBERED = 512;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);

    private final Set<Seen> seen = new LinkedHashSet<>();
    private String lastId = "";
    private @Nullable Duration retry;

    /** Records the event; false if it is a repetition. */
    boolean advance(SseEvent event) {
        if (event.id() == null) {
            return true;
        }
        lastId = event.id();
        // The id alone does not identify a repetition: some servers give all events one id.
        boolean isNew = seen.add(new Seen(event.id(), Arrays.hashCode(event.data()), event.data().length));
        if (seen.size() > MOST_REMEMBERED) {
            seen.remove(seen.iterator().next());
        }
        return isNew;
    }

    void retry(Duration pause) {
        retry = pause;
    }

    /** Whether the server gave an id, so that the stream can be resumed. */
    boolean canResume() {
        return !lastId.isEmpty();
    }

    /** The id of the last event, or the empty string. */
    String lastId() {
        return lastId;
    }

    /** The delay before the stream is resumed, after this many consecutive failures. */
    Duration pause(int failures, Duration fallback, RandomGenerator random) {
        var first = Collections.max(List.of(retry == null ? fallback : retry, SHORTEST_PAUSE));
        if (failures == 0) {
            return first;
        }
        var twice = Collections.min(List.of(first.multipliedBy(2), LONGEST_PAUSE));
        return Collections.max(List.of(new JitteredBackoff(twice, LONGEST_PAUSE).after(failures, random), first));
    }

    private record Seen(String id, int hash, int length) {}
}
