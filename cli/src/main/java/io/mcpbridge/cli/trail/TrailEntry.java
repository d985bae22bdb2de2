package io.mcpbridge.cli.trail;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.RecordType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.StringJoiner;

/**
 * What is shown as one line: a call as far as it is known, a denial, or a note.
 *
 * @param type {@code ENTER} for a call that is not over
 * @param begun who called what; of an exit whose enter was not seen, what the exit says of that
 * @param isBeginningSeen whether it was seen, or there is none
 * @param ending how it ended
 */
public record TrailEntry(RecordType type, Beginning begun, boolean isBeginningSeen, Ending ending) {
    /** The outcome of a call that is not over. */
    public static final String OPEN = "open";

    /** The outcome of a call that was turned away. */
    public static final String DENIED = "denied";

    /** The outcome of a call that may have run or not. */
    public static final String IN_DOUBT = "in-doubt";

    /** The clock may be set a little while a call runs. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(5);

    /**
     * How a call ended.
     *
     * @param outcome one word, such as {@code ok}, {@code tool-error}, or one of the constants; the empty string for a note
     * @param isMeasured whether duration and attempts are known; of a call that a crash ended, nobody knows them
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

    static TrailEntry open(Beginning begun) {
        return new TrailEntry(RecordType.ENTER, begun, true, Ending.ofWord(OPEN, ""));
    }

    static TrailEntry ended(AuditLine exit, Beginning begun) {
        return new TrailEntry(RecordType.EXIT, begun, true, Ending.of(exit));
    }

    /** An exit whose enter was not seen. */
    static TrailEntry endedAlone(AuditLine exit) {
        return new TrailEntry(RecordType.EXIT, Beginning.of(exit), false, Ending.of(exit));
    }

    static TrailEntry denied(AuditLine denied) {
        var why = denied.text("reason").orElse("");
        return new TrailEntry(RecordType.DENIED, Beginning.of(denied), true, Ending.ofWord(DENIED, why));
    }

    static TrailEntry note(AuditLine note) {
        var words = new StringJoiner(" ");
        note.text("kind").ifPresent(words::add);
        if (note.data().get("details") instanceof Map<?, ?> details) {
            details.forEach((key, value) -> words.add(key + "=" + value));
        }
        return new TrailEntry(RecordType.NOTE, Beginning.of(note), true, Ending.ofWord("", words.toString()));
    }

    /**
     * Whether nothing of it can stand before the first record that was read.
     *
     * @param first when that was written
     */
    boolean isWholeSince(Instant first) {
        if (isBeginningSeen) {
            return true;
        }
        // Who ends it after a crash does not know how long it took.
        var isSpanKnown = !ending.outcome().equals(IN_DOUBT);
        return isSpanKnown
                && first.isBefore(begun.time().minus(ending.duration()).minus(CLOCK_SLACK));
    }
}
