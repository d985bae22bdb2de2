package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.StringJoiner;

/**
 * An entry of one line: a call as far as it is known, a denial, or a note.
 *
 * @param type {@code ENTER} for a call that is not over
 * @param begun who called what; of an exit whose enter was not seen, what the exit says of that
 * @param isBeginningSeen whether it was seen, or there is none
 * @param ending how it ended
 */
public record TrailEntry(RecordType type, Start begun, boolean isBeginningSeen, Ending ending) {
    /** The outcome of a call that is not over. */
    public static final String OPEN = "open";

    /** The outcome of a call that was denied. */
    public static final String DENIED = "denied";

    /** The outcome of a call that may have run or not. */
    public static final String IN_DOUBT = "in-doubt";

    /** The clock may be set a little while a call runs. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(5);

    /**
     * The end of a call.
     *
     * @param outcome one word, such as {@code ok}, {@code tool-error}, or one of the constants; the empty string for a
     *     note
     * @param isMeasured whether duration and attempts are known; they are not known of a call that a crash ended
     * @param duration of the call
     * @param attempts how often the server was asked
     * @param words what else is to be said: an error or its reason, the reason of a denial, a note
     */
    public record Ending(String outcome, boolean isMeasured, Duration duration, long attempts, String words) {

        static Ending of(AuditLine exit) {
            var isInDoubt = Boolean.TRUE.equals(exit.data().get("inDoubt"))
                    || exit.text("delivery").filter("UNKNOWN"::equals).isPresent();
            var code = exit.number("code").map(number -> number + " ").orElse("");
            return new Ending(
                    isInDoubt ? IN_DOUBT : exit.text("outcome").orElse(""),
                    exit.number("durationMs").isPresent(),
                    Duration.ofMillis(exit.number("durationMs").orElse(0L)),
                    exit.number("attempts").orElse(0L),
                    code + exit.text("error").or(() -> exit.text("reason")).orElse(""));
        }

        private static Ending ofWord(String outcome, String words) {
            return new Ending(outcome, false, Duration.ZERO, 0, words);
        }
    }

    static TrailEntry open(Start begun) {
        return new TrailEntry(RecordType.ENTER, begun, true, Ending.ofWord(OPEN, ""));
    }

    static TrailEntry ended(AuditLine exit, Start begun) {
        return new TrailEntry(RecordType.EXIT, begun, true, Ending.of(exit));
    }

    /** An exit whose enter was not seen. */
    static TrailEntry endedAlone(AuditLine exit) {
        return new TrailEntry(RecordType.EXIT, Start.of(exit), false, Ending.of(exit));
    }

    static TrailEntry denied(AuditLine denied) {
        var why = denied.text("reason").orElse("");
        return new TrailEntry(RecordType.DENIED, Start.of(denied), true, Ending.ofWord(DENIED, why));
    }

    static TrailEntry note(AuditLine note) {
        var words = new StringJoiner(" ");
        note.text("kind").ifPresent(words::add);
        if (note.data().get("details") instanceof Map<?, ?> details) {
            details.forEach((key, value) -> words.add(key + "=" + value));
        }
        return new TrailEntry(RecordType.NOTE, Start.of(note), true, Ending.ofWord("", words.toString()));
    }

    /**
     * Whether no record of it can be before the first record that was read.
     *
     * @param first when that was written
     */
    boolean isWholeSince(Instant first) {
        if (isBeginningSeen) {
            return true;
        }
        // A start that ends a call after a crash does not know how long it took.
        var isSpanKnown = !ending.outcome().equals(IN_DOUBT);
        return isSpanKnown
                && first.isBefore(begun.time().minus(ending.duration()).minus(CLOCK_SLACK));
    }

    /**
     * The start of a call, each text cut to a bounded length, since it stays in memory until the call ends.
     *
     * @param time when it began
     * @param call the correlation id
     * @param principal who called
     * @param client the id that the client gave itself, or the empty string
     * @param server where it went
     * @param tool the tool there, the URI of a resource, or the name of a prompt
     * @param sandbox the sandbox level of the server, or the empty string
     */
    public record Start(
            Instant time, String call, String principal, String client, String server, String tool, String sandbox) {
        private static final int LONGEST = 256;

        static Start of(AuditLine record) {
            return new Start(
                    record.time(),
                    text(record, "correlationId"),
                    record.text("principal", "name").map(Start::cut).orElse(""),
                    text(record, "clientId"),
                    text(record, "server"),
                    text(record, "tool"),
                    text(record, "sandbox"));
        }

        /** The tool with the name of its server before it, if that is known. */
        public String qualifiedTool() {
            return server.isEmpty() ? tool : server + "." + tool;
        }

        private static String text(AuditLine record, String key) {
            return cut(record.text(key).orElse(""));
        }

        private static String cut(String text) {
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
        }
    }
}
