package io.mcpbridge.testkit.faulty;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What goes wrong at which point of a server's life, and at the how manieth time. Immutable.
 *
 * <p>Each point is counted by itself: with {@code on-request:3=exit:7} the server ends at its third call. Several faults
 * of one moment happen in the order of their rules.
 */
public final class FaultScript {

    /** Nothing goes wrong. */
    public static final FaultScript NONE = new FaultScript(List.of());

    private final List<FaultRule> rules;

    private FaultScript(List<FaultRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads rules such as {@code on-request=hang} (each time), {@code on-request:3=exit:7} (the third time) and {@code
     * start:2+=tool:more} (from the second time on).
     *
     * @throws IllegalArgumentException that quotes what is wrong and names what would be right
     */
    public static FaultScript parse(String... rules) {
        return new FaultScript(Stream.of(rules).map(FaultRule::parse).toList());
    }

    /**
     * Reads the name of a constant.
     *
     * @param what the word for one of the type
     * @throws IllegalArgumentException if there is none of that name
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

    /** A constant as it is written in a script: in lower case with dashes. */
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
     * Refuses what only HTTP can do.
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
     * A fault and when it happens, written as {@code point=fault}, {@code point:3=fault} or {@code point:3+=fault}.
     *
     * @param point where
     * @param first the first time at which it happens there, counted from 1
     * @param last the last time
     * @param fault what happens
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

    /** Where in its life a {@link FaultyServer} may do wrong. Written in lower case with dashes. */
    enum Point {

        /** The server starts. Its count goes on over restarts, where the {@link ExecutionCounter} is kept in a folder. */
        START,

        /** The opening has been read and not been answered: {@code initialize}, or {@code server/discover} where it is modern. */
        BEFORE_INITIALIZE,

        /** The opening has been answered. */
        AFTER_INITIALIZE,

        /** A {@code tools/list} has been read and not been answered. */
        ON_LIST,

        /** A {@code tools/call} has been read and has not run. */
        ON_REQUEST,

        /** A call has run, and half of its answer has been written. */
        MID_ANSWER,

        /** A call has been answered. */
        AFTER_ANSWER,

        /** A {@code notifications/cancelled} has been read. */
        ON_CANCEL,

        /** Standard input has ended, or the other side has left a socket. */
        ON_STDIN_EOF;

        /** Whether a request has been read there whose answer can still be spoilt as a whole. */
        boolean isBeforeAnAnswer() {
            return this == BEFORE_INITIALIZE || this == ON_LIST || this == ON_REQUEST;
        }
    }
}
