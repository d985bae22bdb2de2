package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.Part;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Function;

/**
 * The words where there are many servers: {@code Calling tool github.get_issue}, with the request's id, its
 * time-out and the attempt. What a server said in an error is its own business and stays out of the log.
 */
public final class ManyServersLog implements AttemptLog {
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_REASON = 1_000;

    private final String server;
    private final Function<Call, Duration> timeout;
    private final System.Logger logger;

    /**
     * Makes the log of one server.
     *
     * @param timeout how long an attempt of a call may take
     */
    public ManyServersLog(String server, Function<Call, Duration> timeout, System.Logger logger) {
        this.server = server;
        this.timeout = timeout;
        this.logger = logger;
    }

    @Override
    public void attempt(Call call, int number, int maxAttempts) {
        if (logger.isLoggable(Level.DEBUG)) {
            log(Level.DEBUG, "Calling tool " + target(call), call, number);
        }
    }

    @Override
    public void retrying(Call call, int number, int maxAttempts, Retrying retrying) {
        log(Level.WARNING, "Tool call failed (retryable error): " + words(retrying.why()), call, number);
        var next = "Retrying %s (attempt %d/%d) after %dms"
                .formatted(
                        target(call), number + 1, maxAttempts, retrying.delay().toMillis());
        log(Level.INFO, next, call, number + 1);
    }

    @Override
    public void stopped(Call call, int number, Failure why) {
        // Of a server that is held off was told when that began; its calls would flood the log.
        var isExpected = why.code() == ErrorCode.SERVER_ERROR || why.isHeldOff();
        var level = isExpected ? Level.DEBUG : Level.WARNING;
        if (logger.isLoggable(level)) {
            log(level, "Tool call failed %s: %s".formatted(how(number, why), words(why)), call, number);
        }
    }

    private String how(int number, Failure why) {
        if (why.isBudgetSpent()) {
            return "while the retry budget of '%s' is spent".formatted(server);
        }
        return why.retryable() && number > 1 ? "after all retries" : "and is not tried again";
    }

    private String target(Call call) {
        var name = call.request().text(Part.NAME).orElse(call.request().method());
        return server + "." + VisibleText.beginning(name, LONGEST_NAME);
    }

    private String words(Failure why) {
        return why.serverError()
                .map(error -> "%s answered with error %d".formatted(server, error.code()))
                .orElseGet(() -> VisibleText.beginning(why.message(), LONGEST_REASON));
    }

    private void log(Level level, String what, Call call, int number) {
        if (logger.isLoggable(level)) {
            logger.log(
                    level,
                    "[mcp-bridge] %s [request %s, timeout %dms, attempt %d]"
                            .formatted(
                                    what,
                                    call.correlationId(),
                                    timeout.apply(call).toMillis(),
                                    number));
        }
    }
}
