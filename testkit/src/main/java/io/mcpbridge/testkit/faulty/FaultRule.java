package io.mcpbridge.testkit.faulty;

import java.util.regex.Pattern;

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
                            .formatted(fault.text(), point.text(), first, last));
        }
        if (fault.kind().needsRequest() && !point.isBeforeAnAnswer()) {
            throw new IllegalArgumentException(
                    "the fault '%s' needs a request to spoil the answer of, which there is not at '%s'; use before-initialize, on-list or on-request"
                            .formatted(fault.text(), point.text()));
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
                Point.of(matcher.group(1)), first, goesOn ? Integer.MAX_VALUE : first, Fault.parse(matcher.group(4)));
    }

    boolean appliesTo(Point where, int time) {
        return where == point && time >= first && time <= last;
    }

    String text() {
        if (last == Integer.MAX_VALUE) {
            return "%s:%d+=%s".formatted(point.text(), first, fault.text());
        }
        return "%s:%d=%s".formatted(point.text(), first, fault.text());
    }
}
