package io.mcpbridge.spi;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/** The positions of secrets in one text. For one thread. */
public final class SecretSpans {
    private final List<Span> spans = new ArrayList<>();

    /** Makes an empty collection. */
    public SecretSpans() {}

    /** Adds the characters from {@code start} (inclusive) to {@code end} (exclusive). */
    public void add(int start, int end) {
        if (end > start) {
            spans.add(new Span(start, end));
        }
    }

    /** Adds what a search finds in the text, and in the text without characters that show nothing. */
    public void find(String text, BiConsumer<String, SecretSpans> search) {
        search.accept(text, this);
        if (text.chars().anyMatch(SearchableText::isInvisible)) {
            var stripped = SearchableText.withoutInvisible(text);
            var found = new SecretSpans();
            search.accept(stripped.toString(), found);
            found.spans.forEach(span -> add(stripped, span.start, span.end));
        }
    }

    /** Adds each credential that its form alone shows: tokens of well-known issuers, private keys, and the like. */
    public void addTokens(String text) {
        TokenPatterns.find(text, this);
    }

    void add(SearchableText stripped, int start, int end) {
        add(stripped.place(start), stripped.place(end - 1) + 1);
    }

    /** Whether no secret was found. */
    public boolean isEmpty() {
        return spans.isEmpty();
    }

    /**
     * The first {@code end} characters of the text with a replacement for each span. Overlapping spans are replaced
     * together; a span that extends beyond {@code end} is replaced as a whole.
     */
    public String replaceIn(String text, int end, UnaryOperator<String> replacement) {
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
