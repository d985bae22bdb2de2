package io.mcpbridge.pipeline;

import com.google.errorprone.annotations.FormatMethod;
import io.mcpbridge.call.Call;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.Part;
import java.lang.System.Logger.Level;

/** The words for a connection to one server: {@code callTool echo attempt 1/3}. */
public final class SingleServerLog implements AttemptLog {
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_REASON = 1_000;

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
        log(Level.INFO, "retrying in %dms (error: %s)", retrying.delay().toMillis(), words(retrying.why()));
    }

    @Override
    public void stopped(Call call, int number, Failure why) {
        if (why.retryable()) {
            log(Level.WARNING, "%s failed after %d attempt(s)", target(call), number);
        } else {
            log(Level.WARNING, "%s non-retryable error: %s", target(call), words(why));
        }
    }

    private static String target(Call call) {
        var name = call.request().text(Part.NAME);
        return name.map(tool -> "callTool " + VisibleText.beginning(tool, LONGEST_NAME))
                .orElseGet(() -> VisibleText.beginning(call.request().method(), LONGEST_NAME));
    }

    private static String words(Failure why) {
        return VisibleText.beginning(why.message(), LONGEST_REASON);
    }

    @FormatMethod
    private void log(Level level, String format, Object... values) {
        logger.log(level, "[mcp-bridge] " + format.formatted(values));
    }
}
