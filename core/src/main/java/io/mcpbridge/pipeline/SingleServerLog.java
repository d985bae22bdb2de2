package io.mcpbridge.pipeline;

import com.google.errorprone.annotations.FormatMethod;
import io.mcpbridge.call.Call;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import java.lang.System.Logger.Level;

/** The words for a connection to one server: {@code callTool echo attempt 1/3}. */
public final class SingleServerLog implements AttemptLog {
    private final System.Logger logger;

    public SingleServerLog(System.Logger logger) {
        this.logger = logger;
    }

    @Override
    public void attempt(Call call, int number, int maxAttempts) {
        if (logger.isLoggable(Level.DEBUG)) {
            log(Level.DEBUG, "%s attempt %d/%d", target(call), number, maxAttempts);
        }
    }

    @Override
    public void retrying(Call call, int number, int maxAttempts, Retrying retrying) {
        log(
                Level.INFO,
                "retrying in %dms (error: %s)",
                retrying.delay().toMillis(),
                retrying.why().message());
    }

    @Override
    public void stopped(Call call, int number, Failure why) {
        if (why.retryable()) {
            log(Level.WARNING, "%s failed after %d attempt(s)", target(call), number);
        } else {
            log(Level.WARNING, "%s non-retryable error: %s", target(call), why.message());
        }
    }

    private static String target(Call call) {
        var name = call.request().text(Part.NAME);
        return name.map(tool -> "callTool " + tool)
                .orElseGet(() -> call.request().method());
    }

    @FormatMethod
    private void log(Level level, String format, Object... values) {
        logger.log(level, "[mcp-bridge] " + format.formatted(values));
    }
}
