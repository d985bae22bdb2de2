package io.mcpbridge.audit.redact;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * What the encoded words of one text mean, in one text of its own, so that it is searched once however many words there
 * are. One thread at a time.
 */
final class DecodedWords {
    /** Ends all that can be found but what is in quotes or a private key, so that words are not taken for one. */
    private static final char BETWEEN = '}';

    private final StringBuilder decoded = new StringBuilder();
    private final List<Word> words = new ArrayList<>();

    /** A word from a position to the one behind its end, and where what it means begins. */
    private record Word(int start, int end, int decodedStart) {}

    /** One meaning of a word, which may have more. */
    void add(String meaning, int start, int end) {
        words.add(new Word(start, end, decoded.length()));
        decoded.append(meaning).append(BETWEEN);
    }

    boolean isEmpty() {
        return words.isEmpty();
    }

    /** Adds the words in whose meaning the search finds something. */
    void find(Function<String, Findings> search, Findings findings) {
        var places = search.apply(decoded.toString()).places();
        int next = places.nextSetBit(0);
        for (int i = 0; i < words.size() && next >= 0; i++) {
            var word = words.get(i);
            int end = i + 1 < words.size() ? words.get(i + 1).decodedStart : decoded.length();
            if (next < word.decodedStart) {
                next = places.nextSetBit(word.decodedStart);
            }
            if (next >= 0 && next < end) {
                findings.add(word.start, word.end);
            }
        }
    }
}
