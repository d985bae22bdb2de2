package io.mcpbridge.engine.pipeline;

import com.google.errorprone.annotations.FormatMethod;
import io.mcpbridge.call.Call;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.MessageField;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.function.Function;

/** Logs the attempts of calls. Never waits; any thread. */
public interface AttemptLogger {
    /** Logs nothing. */
    AttemptLogger NONE = new AttemptLogger() {};

    /** An attempt begins; {@code number} counts from 1. */
    default void attempt(Call call, int number, int maxAttempts) {}

    /** Attempt {@code number} failed, and another one follows. */
    default void retrying(Call call, int number, int maxAttempts, Retrying retrying) {}

    /** Attempt {@code number} was rejected, and is sent again once the cause is removed; the call has not failed. */
    default void resending(Call call, int number, Failure why) {}

    /** Attempt {@code number} failed, and none follows. */
    default void stopped(Call call, int number, Failure why) {}

    /**
     * The failure of an attempt and the delay before the next one.
     *
     * @param why its failure
     * @param delay the delay before the next attempt
     */
    record Retrying(Failure why, Duration delay) {}

    private static String name(String name) {
        return VisibleText.beginning(name, 128);
    }

    private static String reason(Failure why) {
        return VisibleText.beginning(why.message(), 1_000);
    }

    /**
     * Logs the attempts of a connection to one server: {@code callTool echo attempt 1/3}.
     *
     * @param level the level of the lines about attempts that begin
     */
    record OfSingleServer(System.Logger logger, Level level) implements AttemptLogger {

        @Override
        public void attempt(Call call, int number, int maxAttempts) {
            if (logger.isLoggable(level)) {
                log(level, "%s attempt %d/%d", target(call), number, maxAttempts);
            }
        }

        @Override
        public void retrying(Call call, int number, int maxAttempts, Retrying retrying) {
            log(Level.INFO, "retrying in %dms (error: %s)", retrying.delay().toMillis(), reason(retrying.why()));
        }

        @Override
        public void resending(Call call, int number, Failure why) {
            log(Level.DEBUG, "%s is sent again (rejected: %s)", target(call), reason(why));
        }

        @Override
        public void stopped(Call call, int number, Failure why) {
            if (why.retryable()) {
                log(Level.WARNING, "%s failed after %d attempt(s)", target(call), number);
            } else {
                log(Level.WARNING, "%s non-retryable error: %s", target(call), reason(why));
            }
        }

        private static String target(Call call) {
            var name = call.request().text(MessageField.NAME);
            return name.map(tool -> "callTool " + name(tool))
                    .orElseGet(() -> name(call.request().method()));
        }

        @FormatMethod
        private void log(Level severity, String format, Object... values) {
            logger.log(severity, "[mcp-bridge] " + format.formatted(values));
        }
    }

    /**
     * Logs the attempts of one server among many: {@code Calling tool github.get_issue}, with the request id, the
     * time-out and the attempt number. Omits the text of server errors.
     *
     * @param timeout how long an attempt of a call may take
     * @param level the level of the lines about attempts that begin
     */
    record OfServer(String server, Function<Call, Duration> timeout, System.Logger logger, Level level)
            implements AttemptLogger {

        @Override
        public void attempt(Call call, int number, int maxAttempts) {
            if (logger.isLoggable(level)) {
                log(level, "Calling tool " + target(call), call, number);
            }
        }

        @Override
        public void retrying(Call call, int number, int maxAttempts, Retrying retrying) {
            log(Level.WARNING, "Tool call failed (retryable error): " + words(call, retrying.why()), call, number);
            var next = "Retrying %s (attempt %d/%d) after %dms"
                    .formatted(
                            target(call),
                            number + 1,
                            maxAttempts,
                            retrying.delay().toMillis());
            log(Level.INFO, next, call, number + 1);
        }

        @Override
        public void resending(Call call, int number, Failure why) {
            if (logger.isLoggable(Level.DEBUG)) {
                log(Level.DEBUG, "Tool call is sent again (rejected): " + words(call, why), call, number);
            }
        }

        @Override
        public void stopped(Call call, int number, Failure why) {
            var what = "Tool call failed %s: %s".formatted(how(number, why), words(call, why));
            log(Level.WARNING, what, call, number);
        }

        private String how(int number, Failure why) {
            if (why.isBudgetSpent()) {
                return "while the retry budget of '%s' is spent".formatted(server);
            }
            return why.retryable() && number > 1 ? "after all retries" : "and is not tried again";
        }

        private String target(Call call) {
            var name =
                    call.request().text(MessageField.NAME).orElse(call.request().method());
            return server + "." + name(name);
        }

        private String words(Call call, Failure why) {
            return target(call) + ": "
                    + why.serverError()
                            .map(error -> "%s answered with error %d".formatted(server, error.code()))
                            .orElseGet(() -> reason(why));
        }

        private void log(Level severity, String what, Call call, int number) {
            if (logger.isLoggable(severity)) {
                logger.log(
                        severity,
                        "[mcp-bridge] %s [request %s, timeout %dms, attempt %d]"
                                .formatted(
                                        what,
                                        call.correlationId(),
                                        Math.min(
                                                timeout.apply(call).toMillis(),
                                                call.deadline().span().toMillis()),
                                        number));
            }
        }
    }
}
