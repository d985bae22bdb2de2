package io.mcpbridge.call;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Request;
import java.util.regex.Pattern;

/**
 * The place of a call in a trace, as <a href="https://www.w3.org/TR/trace-context/">W3C Trace Context</a> writes it in
 * {@code traceparent}. Immutable.
 *
 * @param text in the form of version 00; the empty string for a call that is in no trace
 */
public record TraceParent(String text) {
    /** The value for a call that is in no trace. */
    public static final TraceParent NONE = new TraceParent("");

    private static final String VERSION = "00";
    private static final String NO_VERSION = "ff";
    private static final int TRACE_BEGIN = 3;
    private static final int TRACE_END = 35;
    private static final int SPAN_BEGIN = 36;
    private static final int SPAN_END = 52;
    private static final int FLAGS_BEGIN = 53;
    private static final int LENGTH = 55;

    /**
     * Takes a text of version 00.
     *
     * @throws IllegalArgumentException if the text is invalid; use {@link #read} for a text of a peer
     */
    public TraceParent {
        if (!text.isEmpty() && !(text.startsWith(VERSION) && Form.isValid(text))) {
            throw new IllegalArgumentException(
                    "'%s' is no 'traceparent', which is 00-, 32 digits, -, 16 digits, -, 2 digits".formatted(text));
        }
    }

    /** The value for a span with valid ids. */
    public static TraceParent of(String traceId, String spanId, String flags) {
        return new TraceParent(String.join("-", VERSION, traceId, spanId, flags));
    }

    /**
     * Reads the text of a peer. An invalid text is {@link #NONE}; of a later version, only the fields of version 00 are
     * read.
     */
    public static TraceParent read(String traceparent) {
        if (traceparent.length() < LENGTH || traceparent.startsWith(NO_VERSION)) {
            return NONE;
        }
        var known = traceparent.substring(0, LENGTH);
        if (!isAll(traceparent) || !Form.isValid(known)) {
            return NONE;
        }
        return new TraceParent(VERSION + known.substring(VERSION.length()));
    }

    /** Only later versions may have more fields. */
    private static boolean isAll(String traceparent) {
        return traceparent.length() == LENGTH
                || (!traceparent.startsWith(VERSION) && traceparent.charAt(LENGTH) == '-');
    }

    /** The trace that the request itself names. */
    public static TraceParent of(Request request) {
        return request.text(MessageField.TRACEPARENT).map(TraceParent::read).orElse(NONE);
    }

    /** Whether the call is in a trace. */
    public boolean isPresent() {
        return !text.isEmpty();
    }

    /** 32 hexadecimal digits; the empty string if there is no trace. */
    public String traceId() {
        return part(TRACE_BEGIN, TRACE_END);
    }

    /** The span that the call is made in: 16 hexadecimal digits; the empty string if there is no trace. */
    public String spanId() {
        return part(SPAN_BEGIN, SPAN_END);
    }

    /** Two hexadecimal digits; the empty string if there is no trace. */
    public String flags() {
        return part(FLAGS_BEGIN, LENGTH);
    }

    private String part(int begin, int end) {
        return isPresent() ? text.substring(begin, end) : "";
    }

    @Override
    public String toString() {
        return text;
    }

    /** Loaded with the first trace. */
    private static final class Form {
        private static final Pattern PATTERN =
                Pattern.compile("[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

        private static boolean isValid(String text) {
            return PATTERN.matcher(text).matches();
        }
    }
}
