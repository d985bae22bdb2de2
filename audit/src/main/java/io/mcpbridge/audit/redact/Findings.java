package io.mcpbridge.audit.redact;

import java.util.ArrayList;
import java.util.BitSet;
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

    /** The positions of all characters of all secrets. */
    BitSet places() {
        var places = new BitSet();
        spans.forEach(each -> places.set(each.start, each.end));
        return places;
    }

    /** The text with something else in each place; places that overlap count as one. */
    String replacedIn(String text, UnaryOperator<String> replacement) {
        return replacedIn(text, text.length(), replacement);
    }

    /** The same of a beginning of the text; a place through which its end goes is replaced as a whole. */
    String replacedIn(String text, int end, UnaryOperator<String> replacement) {
        var replaced = new StringBuilder(end);
        int copied = 0;
        for (var span : merged()) {
            if (span.start < end) {
                replaced.append(text, copied, span.start)
                        .append(replacement.apply(text.substring(span.start, span.end)));
                copied = span.end;
            }
        }
        return replaced.append(text, copied, Math.max(copied, end)).toString();
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
