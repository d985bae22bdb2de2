package io.mcpbridge.audit.redact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** Where in one text secrets were found. One thread at a time. */
final class Findings {
    private final List<Span> spans = new ArrayList<>();

    /** From a position to the one behind the end. */
    private record Span(int start, int end) {}

    void add(int start, int end) {
        if (end > start) {
            spans.add(new Span(start, end));
        }
    }

    boolean isEmpty() {
        return spans.isEmpty();
    }

    /** The text with something else in each place; places that overlap count as one. */
    String replacedIn(String text, UnaryOperator<String> replacement) {
        var replaced = new StringBuilder(text.length());
        int copied = 0;
        for (var span : merged()) {
            replaced.append(text, copied, span.start).append(replacement.apply(text.substring(span.start, span.end)));
            copied = span.end;
        }
        return replaced.append(text, copied, text.length()).toString();
    }

    private List<Span> merged() {
        spans.sort(Comparator.comparingInt(Span::start));
        var merged = new ArrayList<Span>();
        for (var span : spans) {
            var last = merged.isEmpty() ? span : merged.get(merged.size() - 1);
            if (merged.isEmpty() || span.start >= last.end) {
                merged.add(span);
            } else {
                merged.set(merged.size() - 1, new Span(last.start, Math.max(last.end, span.end)));
            }
        }
        return merged;
    }
}
