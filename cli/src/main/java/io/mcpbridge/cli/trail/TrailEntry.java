package io.mcpbridge.cli.trail;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * What is shown as one line: a call as far as it is known, a denial, or a note.
 *
 * @param kind {@code ENTER} for a call that is not over
 * @param begun who called what; of an exit whose enter was not seen, what the exit says of that
 * @param isBeginningSeen whether it was seen, or there is none
 * @param outcome one word, such as {@code ok}, {@code tool-error}, {@code denied}, {@code in-doubt} or {@code open}; the
 *     empty string for a note
 * @param duration of the call
 * @param attempts how often the server was asked
 * @param words what else is to be said: an error, the reason of a denial, a note
 */
public record TrailEntry(
        TrailRecord.Kind kind,
        Beginning begun,
        boolean isBeginningSeen,
        String outcome,
        Duration duration,
        long attempts,
        String words) {
    /** The outcome of a call that is not over. */
    private static final String OPEN = "open";

    private static final String DENIED = "denied";
    private static final String IN_DOUBT = "in-doubt";
    /** The clock may be set a little while a call runs. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(5);

    static TrailEntry open(Beginning begun) {
        return new TrailEntry(TrailRecord.Kind.ENTER, begun, true, OPEN, Duration.ZERO, 0, "");
    }

    static TrailEntry ended(TrailRecord exit, Beginning begun) {
        return exit(exit, begun, true);
    }

    static TrailEntry endedAlone(TrailRecord exit) {
        return exit(exit, Beginning.of(exit), false);
    }

    private static TrailEntry exit(TrailRecord exit, Beginning begun, boolean isBeginningSeen) {
        return new TrailEntry(
                exit.kind(),
                begun,
                isBeginningSeen,
                outcome(exit),
                Duration.ofMillis(exit.number("durationMs")),
                exit.number("attempts"),
                (exit.text("code") + " " + exit.text("error")).strip());
    }

    static TrailEntry denied(TrailRecord denied) {
        var why = denied.text("reason");
        return new TrailEntry(denied.kind(), Beginning.of(denied), true, DENIED, Duration.ZERO, 0, why);
    }

    static TrailEntry note(TrailRecord note) {
        return new TrailEntry(note.kind(), Beginning.of(note), true, "", Duration.ZERO, 0, JsonLine.of(note.data()));
    }

    private static String outcome(TrailRecord exit) {
        var isInDoubt = exit.text("inDoubt").equals("true")
                || exit.text("delivery").toLowerCase(Locale.ROOT).equals("unknown");
        return isInDoubt ? IN_DOUBT : exit.text("outcome");
    }

    boolean isNote() {
        return kind == TrailRecord.Kind.NOTE;
    }

    /**
     * Whether nothing of it can stand before the first record that was read.
     *
     * @param first when that was written
     */
    boolean isWholeSince(Instant first) {
        return isBeginningSeen || first.isBefore(begun.time().minus(duration).minus(CLOCK_SLACK));
    }
}
