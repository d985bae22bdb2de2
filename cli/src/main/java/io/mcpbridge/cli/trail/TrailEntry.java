package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.ParsedRecord;
import io.mcpbridge.audit.record.RecordType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.StringJoiner;

/**
 * A call, a denial or a note of a trail, shown on one line.
 *
 * @param type {@code ENTER} for a call that has not ended
 * @param begun the start of the call; from the exit if its enter was not read
 * @param isBeginningSeen whether the enter was read, or the entry has none
 * @param ending the end of the call
 */
public record TrailEntry(RecordType type, Start begun, boolean isBeginningSeen, Ending ending) {
    /** The outcome of a call that has not ended. */
    public static final String OPEN = "open";

    /** The outcome of a call that was denied. */
    public static final String DENIED = "denied";

    /** The outcome of a call of which it is unknown whether it ran. */
    public static final String IN_DOUBT = "in-doubt";

    /** Tolerance for a clock that is adjusted while a call runs. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(5);

    /**
     * The end of a call.
     *
     * @param outcome one word, such as {@code ok} or {@code tool-error}, or one of the constants; empty for a note
     * @param isMeasured whether duration and attempts are known; false for a call that a crash ended
     * @param duration the duration of the call
     * @param attempts the number of attempts at the server
     * @param words further text: an error or its reason, the reason of a denial, or a note
     */
    public record Ending(String outcome, boolean isMeasured, Duration duration, long attempts, String words) {

        static Ending of(ParsedRecord exit) {
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

    static TrailEntry ended(ParsedRecord exit, Start begun) {
        return new TrailEntry(RecordType.EXIT, begun, true, Ending.of(exit));
    }

    /** The entry of an exit whose enter was not read. */
    static TrailEntry endedWithoutEnter(ParsedRecord exit) {
        return new TrailEntry(RecordType.EXIT, Start.of(exit), false, Ending.of(exit));
    }

    static TrailEntry denied(ParsedRecord denied) {
        var why = denied.text("reason").orElse("");
        return new TrailEntry(RecordType.DENIED, Start.of(denied), true, Ending.ofWord(DENIED, why));
    }

    static TrailEntry note(ParsedRecord note) {
        var words = new StringJoiner(" ");
        note.text("kind").ifPresent(words::add);
        if (note.data().get("details") instanceof Map<?, ?> details) {
            details.forEach((key, value) -> words.add(key + "=" + value));
        }
        return new TrailEntry(RecordType.NOTE, Start.of(note), true, Ending.ofWord("", words.toString()));
    }

    /**
     * Whether no record of this entry can precede the first record that was read.
     *
     * @param first the time of the first record that was read
     */
    boolean isWholeSince(Instant first) {
        if (isBeginningSeen) {
            return true;
        }
        // The duration of a call is unknown if a start ended it after a crash.
        var isSpanKnown = !ending.outcome().equals(IN_DOUBT);
        return isSpanKnown
                && first.isBefore(begun.time().minus(ending.duration()).minus(CLOCK_SLACK));
    }

    /**
     * The start of a call, each text cut to a bounded length, since it stays in memory until the call ends.
     *
     * @param time the start time
     * @param call the correlation id
     * @param principal the name of the caller
     * @param client the id that the client gave itself, or the empty string
     * @param server the name of the server
     * @param tool the name of the tool or prompt, or the URI of the resource
     * @param sandbox the sandbox level of the server, or the empty string
     * @param trace the id of the trace, or the empty string
     */
    public record Start(
            Instant time,
            String call,
            String principal,
            String client,
            String server,
            String tool,
            String sandbox,
            String trace) {
        private static final int LONGEST = 256;

        static Start of(ParsedRecord record) {
            return new Start(
                    record.time(),
                    text(record, "correlationId"),
                    record.text("principal", "name").map(Start::cut).orElse(""),
                    text(record, "clientId"),
                    text(record, "server"),
                    text(record, "tool"),
                    text(record, "sandbox"),
                    text(record, "traceId"));
        }

        /** The name of the tool with that of its server, if known, as a prefix. */
        public String qualifiedTool() {
            return server.isEmpty() ? tool : server + "." + tool;
        }

        private static String text(ParsedRecord record, String key) {
            return cut(record.text(key).orElse(""));
        }

        private static String cut(String text) {
            return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
        }
    }
}
