package io.mcpbridge.testkit.faulty;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The faults of a server. Each occurs at a point of its lifecycle, every time or at certain times. Immutable.
 *
 * <p>Each point has its own count: with {@code on-request:3=exit:7} the server exits at its third call. Faults of the
 * same moment occur in the order of their rules.
 */
public final class FaultScript {

    /** No faults. */
    public static final FaultScript NONE = new FaultScript(List.of());

    private final List<FaultRule> rules;

    private FaultScript(List<FaultRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Parses rules such as {@code on-request=hang} (every time), {@code on-request:3=exit:7} (the third time) and
     * {@code start:2+=tool:more} (from the second time on).
     *
     * @throws IllegalArgumentException that quotes the invalid part and names the valid values
     */
    public static FaultScript parse(String... rules) {
        return new FaultScript(Stream.of(rules).map(FaultRule::parse).toList());
    }

    /**
     * Parses the name of a constant.
     *
     * @param what the word for a value of the type
     * @throws IllegalArgumentException if no constant has that name
     */
    static <E extends Enum<E>> E parse(Class<E> type, String what, String text) {
        var all = List.of(type.getEnumConstants());
        return all.stream()
                .filter(each -> text(each).equals(text))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("there is no %s '%s'; there are %s"
                        .formatted(
                                what, text, all.stream().map(FaultScript::text).collect(Collectors.joining(", ")))));
    }

    /** The name of a constant in a script: in lower case with dashes. */
    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    List<Fault> at(Point point, int time) {
        return rules.stream()
                .filter(rule -> rule.appliesTo(point, time))
                .map(FaultRule::fault)
                .toList();
    }

    /**
     * Rejects faults that only HTTP supports.
     *
     * @throws IllegalArgumentException that names the rule
     */
    void requireStreamOnly() {
        rules.stream()
                .filter(rule -> rule.fault().kind().needsHttp())
                .findFirst()
                .ifPresent(rule -> {
                    throw new IllegalArgumentException(
                            "'%s' needs HTTP; a byte stream has no status".formatted(rule.text()));
                });
    }

    /**
     * A fault and the times at which it occurs, written as {@code point=fault}, {@code point:3=fault} or
     * {@code point:3+=fault}.
     *
     * @param point the point at which it occurs
     * @param first the first occurrence of the point that has the fault, counted from 1
     * @param last the last occurrence that has it
     * @param fault the fault
     */
    record FaultRule(Point point, int first, int last, Fault fault) {
        private static final Pattern TEXT = Pattern.compile("([a-z-]+)(?::(\\d{1,6})(\\+?))?=(.+)");

        FaultRule {
            if (first < 1 || last < first) {
                throw new IllegalArgumentException(
                        "the fault '%s' at '%s' is for the times %d to %d, which are counted from 1"
                                .formatted(fault.text(), FaultScript.text(point), first, last));
            }
            if (fault.kind().needsRequest() && !point.isBeforeAnAnswer()) {
                throw new IllegalArgumentException(
                        "the fault '%s' needs a request to spoil the answer of, which there is not at '%s'; use before-initialize, on-list or on-request"
                                .formatted(fault.text(), FaultScript.text(point)));
            }
        }

        static FaultRule parse(String text) {
            var matcher = TEXT.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "'%s' is no rule; write point=fault, such as on-request:3=exit:7".formatted(text));
            }
            var first = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
            var goesOn = matcher.group(2) == null || !matcher.group(3).isEmpty();
            return new FaultRule(
                    FaultScript.parse(Point.class, "point", matcher.group(1)),
                    first,
                    goesOn ? Integer.MAX_VALUE : first,
                    Fault.parse(matcher.group(4)));
        }

        boolean appliesTo(Point where, int time) {
            return where == point && time >= first && time <= last;
        }

        String text() {
            if (last == Integer.MAX_VALUE) {
                return "%s:%d+=%s".formatted(FaultScript.text(point), first, fault.text());
            }
            return "%s:%d=%s".formatted(FaultScript.text(point), first, fault.text());
        }
    }

    /**
     * The points in the lifecycle of a {@link FaultyServer} that may have faults. Written in lower case with dashes.
     */
    enum Point {

        /** The server starts. The count survives restarts if the {@link ExecutionCounter} has a folder. */
        START,

        /**
         * The first request ({@code initialize}, or {@code server/discover} in the modern era) was read and is not
         * answered yet.
         */
        BEFORE_INITIALIZE,

        /** The first request was answered. */
        AFTER_INITIALIZE,

        /** A {@code tools/list} was read and is not answered yet. */
        ON_LIST,

        /** A {@code tools/call} was read and has not run yet. */
        ON_REQUEST,

        /** A call has run, and half of its response was written. */
        MID_ANSWER,

        /** A call was answered. */
        AFTER_ANSWER,

        /** A {@code notifications/cancelled} was read. */
        ON_CANCEL,

        /** Standard input has ended, or the peer has closed its socket. */
        ON_STDIN_EOF;

        /** Whether a request was read at this point whose whole response can still be changed. */
        boolean isBeforeAnAnswer() {
            return this == BEFORE_INITIALIZE || this == ON_LIST || this == ON_REQUEST;
        }
    }
}
