package io.mcpbridge;

import io.mcpbridge.call.Timekeeper;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Where a server tells over HTTP how it is. Asking waits for the head of the answer, for a bounded time. */
final class HealthPage {
    private final URI url;
    private final Duration timeout;
    private final Timekeeper timekeeper;

    HealthPage(URI url, Duration timeout, Timekeeper timekeeper) {
        this.url = url;
        this.timeout = timeout;
        this.timekeeper = timekeeper;
    }

    /** Why the server is not healthy; empty if it is, which any status of 2xx says. Follows no redirect. */
    Optional<String> complaint() {
        try {
            var status = status();
            return status / 100 == 2
                    ? Optional.empty()
                    : Optional.of("'%s' answered with HTTP status %d; 2xx would be healthy".formatted(url, status));
        } catch (IOException failed) {
            return Optional.of("'%s' gave no answer within %d ms: %s"
                    .formatted(
                            url,
                            timeout.toMillis(),
                            Optional.ofNullable(failed.getMessage()).orElse(failed.toString())));
        }
    }

    private int status() throws IOException {
        var connection = (HttpURLConnection) url.toURL().openConnection();
        var millis = (int) Math.max(1, Math.min(timeout.toMillis(), Integer.MAX_VALUE));
        connection.setConnectTimeout(millis);
        connection.setReadTimeout(millis);
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        // Nobody asks again soon, and an idle connection would keep a thread of the JDK's.
        connection.setRequestProperty("Connection", "close");
        // The two time-outs begin anew with each piece; this one ends the whole.
        var isLate = new AtomicBoolean();
        var alarm = timekeeper.schedule(timeout, () -> {
            isLate.set(true);
            connection.disconnect();
        });
        try {
            var status = connection.getResponseCode();
            if (isLate.get()) {
                throw new SocketTimeoutException("the answer is not complete");
            }
            return status;
        } finally {
            alarm.cancel();
            connection.disconnect();
        }
    }
}
