package io.mcpbridge.testkit.faulty;

import java.time.Duration;

/**
 * One thing that a {@link FaultyServer} does wrong, written as {@code kind} or {@code kind:argument}, such as {@code
 * exit:7}.
 *
 * @param kind what it does
 * @param argument more about it, or the empty string for what is usual
 */
record Fault(Kind kind, String argument) {

    /** What can go wrong. Written in lower case with dashes. */
    enum Kind {
        /** Ends at once with this exit code (1); in this process, ends every connection and listens no more. */
        EXIT(Argument.NUMBER, false),
        /** Reads and writes nothing any more. */
        HANG(Argument.NONE, false),
        /** Ends this connection. */
        CUT(Argument.NONE, false),
        /** Sends so many log messages (1,000). */
        FLOOD(Argument.NUMBER, false),
        /** Sends what is no message. */
        GARBAGE(Argument.NONE, false),
        /** Starts a process that lives for so many seconds (60) and holds the standard streams open. */
        GRANDCHILD(Argument.NUMBER, false),
        /** Has one tool more, of this name; connected clients are notified that the list has changed. */
        TOOL(Argument.TEXT, false),
        /** Speaks this era from now on, {@code legacy} or {@code modern}. */
        ERA(Argument.ERA, false),
        /** Does not end when it is asked to by a signal. */
        IGNORE_TERM(Argument.NONE, false),
        /** Never answers this request. */
        SILENCE(Argument.NONE, true),
        /** Answers under an id of no request. */
        WRONG_ID(Argument.NONE, true),
        /** Answers twice. */
        DOUBLE(Argument.NONE, true),
        /** Answers with a result of so many bytes (20,000,000). */
        HUGE(Argument.NUMBER, true),
        /** Writes the first half of the answer, and nothing more. */
        HALF(Argument.NONE, true),
        /** Writes the answer byte by byte, so many milliseconds apart (10). */
        DRIBBLE(Argument.NUMBER, true),
        /** Names a revision that does not exist. */
        WRONG_VERSION(Argument.NONE, true),
        /** Answers with this HTTP status instead, such as {@code 503}; {@code 429:2} says when to come back. */
        STATUS(Argument.STATUS, true),
        /** Sends the client elsewhere by HTTP status 307. */
        REDIRECT(Argument.TEXT, true);

        private final Argument argument;
        private final boolean needsRequest;

        Kind(Argument argument, boolean needsRequest) {
            this.argument = argument;
            this.needsRequest = needsRequest;
        }

        /** Whether it spoils an answer, so that there has to be a request. */
        boolean needsRequest() {
            return needsRequest;
        }

        /** Whether it only makes sense over HTTP. */
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
     * Reads a fault.
     *
     * @throws IllegalArgumentException if there is no such kind, or it does not take the argument
     */
    static Fault parse(String text) {
        var parts = text.split(":", 2);
        var kind = FaultScript.parse(Kind.class, "fault", parts[0]);
        return new Fault(kind, parts.length == 1 ? "" : parts[1]);
    }

    /** The fault as it is written in a script. */
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
