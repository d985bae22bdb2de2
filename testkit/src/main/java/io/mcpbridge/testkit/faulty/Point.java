package io.mcpbridge.testkit.faulty;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Where in its life a {@link FaultyServer} may do wrong. Written in lower case with dashes. */
public enum Point {

    /** The server starts. Its count goes on over restarts, where the {@link Ledger} is kept in a folder. */
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

    /** The point as it is written in a script. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads a point.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    static Point of(String text) {
        return Arrays.stream(values())
                .filter(point -> point.text().equals(text))
                .findAny()
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no point '%s'; there are %s".formatted(text, all())));
    }

    private static String all() {
        return Arrays.stream(values()).map(Point::text).collect(Collectors.joining(", "));
    }

    /** Whether a request has been read there whose answer can still be spoilt as a whole. */
    boolean isBeforeAnAnswer() {
        return this == BEFORE_INITIALIZE || this == ON_LIST || this == ON_REQUEST;
    }
}
