package io.mcpbridge.downstream.calls;

import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** How long a client says that it waits. */
final class Waiting {
    private static final Pattern MILLIS = Pattern.compile("\\d{1,12}");

    private Waiting() {}

    /** What the request says; empty if it says nothing that can be understood. */
    static Optional<Duration> of(Request request) {
        return request.raw(Part.TIMEOUT_MS)
                .filter(raw -> MILLIS.matcher(raw).matches())
                .map(raw -> Duration.ofMillis(Long.parseLong(raw)));
    }
}
