package io.mcpbridge.audit.redact;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/** The places of secrets in one text. For one thread. */
final class SecretSpans {
    private final List<Span> spans = new ArrayList<>();

    /** Adds the characters from {@code start} to before {@code end}. */
    void add(int start, int end) {
        if (end > start) {
            spans.add(new Span(start, end));
        }
    }

    /** Adds the places that were found in a condensed text, by their places in the original. */
    void addAll(SecretSpans found, CondensedText condensed) {
        found.spans.forEach(span -> condensed.addTo(this, span.start, span.end));
    }

    boolean isEmpty() {
        return spans.isEmpty();
    }

    /**
     * The first {@code end} characters of the text with a replacement for each place. Places that overlap are replaced
     * together; a place that goes beyond {@code end} is replaced as a whole.
     */
    String replaceIn(String text, int end, UnaryOperator<String> replacement) {
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

    private record Span(int start, int end) {}
}
