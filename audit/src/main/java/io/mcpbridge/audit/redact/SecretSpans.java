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
    void addAll(SecretSpans found, StrippedText condensed) {
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
        spans.sort(Comparator.comparingInt(Span::start));
        var replaced = new StringBuilder(end);
        int copied = 0;
        for (int i = 0; i < spans.size() && spans.get(i).start < end; ) {
            int start = spans.get(i).start;
            int secretEnd = spans.get(i++).end;
            while (i < spans.size() && spans.get(i).start < secretEnd) {
                secretEnd = Math.max(secretEnd, spans.get(i++).end);
            }
            replaced.append(text, copied, start).append(replacement.apply(text.substring(start, secretEnd)));
            copied = secretEnd;
        }
        return replaced.append(text, copied, Math.max(copied, end)).toString();
    }

    private record Span(int start, int end) {}
}
