package io.mcpbridge.testkit.faulty;

import java.time.Duration;

/**
 * A fault of a {@link FaultyServer}, written as {@code kind} or {@code kind:argument}, such as {@code exit:7}.
 *
 * @param kind the kind of fault
 * @param argument a detail, or the empty string for the default
 */
record Fault(Kind kind, String argument) {

    /** The kinds of faults, with default arguments in brackets. Written in lower case with dashes. */
    enum Kind {
        /**
         * Exits at once with this exit code (1); a server in the process of the test closes every connection and stops
         * listening instead.
         */
        EXIT(Argument.NUMBER, false),
        /** Stops reading and writing. */
        HANG(Argument.NONE, false),
        /** Closes this connection. */
        CUT(Argument.NONE, false),
        /** Sends this many log messages (1,000). */
        FLOOD(Argument.NUMBER, false),
        /** Sends bytes that are not a message. */
        GARBAGE(Argument.NONE, false),
        /** Starts a process that runs for this many seconds (60) and holds the standard streams open. */
        GRANDCHILD(Argument.NUMBER, false),
        /** Adds a tool with this name and notifies connected clients that the list has changed. */
        TOOL(Argument.TEXT, false),
        /** Switches to this era: {@code legacy} or {@code modern}. */
        ERA(Argument.ERA, false),
        /** Ignores termination signals. */
        IGNORE_TERM(Argument.NONE, false),
        /** Never answers this request. */
        SILENCE(Argument.NONE, true),
        /** Answers with an id that belongs to no request. */
        WRONG_ID(Argument.NONE, true),
        /** Answers twice. */
        DOUBLE(Argument.NONE, true),
        /** Answers with a result of this many bytes (20,000,000). */
        HUGE(Argument.NUMBER, true),
        /** Writes only the first half of the answer. */
        HALF(Argument.NONE, true),
        /** Writes the answer byte by byte, at intervals of this many milliseconds (10). */
        DRIBBLE(Argument.NUMBER, true),
        /** Names a revision that does not exist. */
        WRONG_VERSION(Argument.NONE, true),
        /** Answers with this HTTP status instead, such as {@code 503}; {@code 429:2} also sends {@code Retry-After}. */
        STATUS(Argument.STATUS, true),
        /** Redirects the client with HTTP status 307. */
        REDIRECT(Argument.TEXT, true);

        private final Argument argument;
        private final boolean needsRequest;

        Kind(Argument argument, boolean needsRequest) {
            this.argument = argument;
            this.needsRequest = needsRequest;
        }

        /** Whether it changes an answer and therefore needs a request. */
        boolean needsRequest() {
            return needsRequest;
        }

        /** Whether only HTTP supports it. */
        boolean needsHttp() {
            return this == STATUS || this == REDIRECT;
        }
    }

    private enum Argument {
        NONE("", "no argument"),
        NUMBER("\\d{0,9}", "a number"),
        TEXT(".*\\S.*", "a text"),
        ERA("legacy|modern", "legacy or modern"),
        STATUS("[1-5]\\d\\d(:\\d{1,9})?", "a status such as 503 or 429:2");

        private final String form;
        private final String words;

        Argument(String form, String words) {
            this.form = form;
            this.words = words;
        }
    }

    /**
     * Checks the argument.
     *
     * @throws IllegalArgumentException if the kind does not take it
     */
    public Fault {
        if (!argument.matches(kind.argument.form)) {
            throw new IllegalArgumentException("the fault '%s' has the argument '%s' but takes %s"
                    .formatted(FaultScript.text(kind), argument, kind.argument.words));
        }
    }

    /**
     * Parses a fault.
     *
     * @throws IllegalArgumentException if the kind is unknown, or does not accept the argument
     */
    static Fault parse(String text) {
        var parts = text.split(":", 2);
        var kind = FaultScript.parse(Kind.class, "fault", parts[0]);
        return new Fault(kind, parts.length == 1 ? "" : parts[1]);
    }

    /** The fault as written in a script. */
    String text() {
        return FaultScript.text(kind) + (argument.isEmpty() ? "" : ":" + argument);
    }

    int number(int usual) {
        return argument.isEmpty() ? usual : Integer.parseInt(argument);
    }

    Duration pause() {
        return Duration.ofMillis(number(10));
    }
}
