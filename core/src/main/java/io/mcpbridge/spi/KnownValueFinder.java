package io.mcpbridge.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds known secret values, which come from the configuration or from the same call. It finds their plain, Base64,
 * hexadecimal and URL-encoded forms, also if blanks, line ends (even escaped ones), colons or invisible characters
 * split them.
 *
 * <p>The time of a search is proportional to the length of the text, whatever the text and the values are. Any thread
 * may use it.
 */
public final class KnownValueFinder {
    /** The shortest encoded or stripped form, in characters; shorter ones occur in ordinary words. */
    private static final int SHORTEST_FORM = 8;

    private final Supplier<? extends Collection<String>> source;
    private volatile Index index = new Index(List.of());

    /** @param source supplies the current values; any thread calls it */
    public KnownValueFinder(Supplier<? extends Collection<String>> source) {
        this.source = source;
    }

    /** The current values; the same list until they change. */
    public List<String> values() {
        return index().values;
    }

    private Index index() {
        // An immutable list is not copied, and equals itself at once.
        var now = List.copyOf(source.get());
        var current = index;
        if (!now.equals(current.values)) {
            current = new Index(now);
            index = current;
        }
        return current;
    }

    /** Whether a whole text is a value. */
    public boolean contains(String text) {
        return index().whole.contains(text);
    }

    /** Adds each occurrence of a value in the text. */
    public void find(String text, SecretSpans spans) {
        var current = index();
        for (var value : current.shortValues) {
            for (int at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length())) {
                spans.add(at, at + value.length());
            }
        }
        if (!current.formsByBeginning.isEmpty()) {
            current.findForms(SearchableText.withoutSeparators(text), spans);
            if (text.indexOf('\\') >= 0) {
                current.findForms(SearchableText.withoutEscapes(text), spans);
            }
        }
    }

    /**
     * The position of a value, in any form, that may continue beyond the end of a truncated text; the length of the
     * text if there is none.
     */
    public int startOfCutValue(String cut) {
        var current = index();
        var stripped = SearchableText.withoutSeparators(cut);
        int longest = current.formsByBeginning.values().stream()
                .flatMap(List::stream)
                .mapToInt(form -> overlap(stripped, form.text))
                .max()
                .orElse(0);
        int start = longest == 0 ? cut.length() : stripped.place(stripped.length() - longest);
        for (var value : current.shortValues) {
            for (int at = Math.max(0, cut.length() - value.length()); at < start; at++) {
                if (cut.regionMatches(at, value, 0, cut.length() - at)) {
                    start = at;
                }
            }
        }
        return start;
    }

    /** The length of the longest beginning of a form with which a text ends. */
    private static int overlap(SearchableText text, String form) {
        int longest = 0;
        long ofForm = 0;
        long ofEnd = 0;
        long power = 1;
        for (int length = 1; length <= Math.min(form.length(), text.length()); length++) {
            ofForm = Hash.append(ofForm, form.charAt(length - 1));
            ofEnd += power * text.charAt(text.length() - length);
            power *= Hash.BASE;
            longest = ofForm == ofEnd ? length : longest;
        }
        return longest;
    }

    /** The forms of the values. Immutable. */
    private static final class Index {
        private static final long POWER_OF_BEGINNING = Hash.power(SHORTEST_FORM);

        private final List<String> values;
        private final Set<String> whole;
        private final List<String> shortValues;
        private final Map<Long, List<Form>> formsByBeginning = new HashMap<>();

        Index(List<String> values) {
            this.values = values;
            this.whole = Set.copyOf(values);
            this.shortValues = values.stream()
                    .filter(value -> stripped(value).length() < SHORTEST_FORM)
                    .toList();
            values.stream()
                    .flatMap(Index::forms)
                    .map(Index::stripped)
                    .filter(form -> form.length() >= SHORTEST_FORM)
                    .distinct()
                    .forEach(form -> formsByBeginning
                            .computeIfAbsent(Hash.of(form, SHORTEST_FORM), beginning -> new ArrayList<>())
                            .add(Form.of(form)));
        }

        /** Compares hashes only, so that a text which nearly has a long value at each position costs no more. */
        void findForms(SearchableText text, SecretSpans spans) {
            var hashes = Hash.ofBeginnings(text);
            for (int at = 0; at + SHORTEST_FORM <= text.length(); at++) {
                long beginning = hashes[at + SHORTEST_FORM] - hashes[at] * POWER_OF_BEGINNING;
                int longest = 0;
                for (var form : formsByBeginning.getOrDefault(beginning, List.of())) {
                    if (form.text.length() > longest && form.isAt(at, hashes)) {
                        longest = form.text.length();
                    }
                }
                if (longest > 0) {
                    spans.add(text, at, at + longest);
                }
            }
        }

        private static String stripped(String text) {
            return SearchableText.withoutSeparators(text).toString();
        }

        private static Stream<String> forms(String value) {
            var bytes = value.getBytes(UTF_8);
            var url = URLEncoder.encode(value, UTF_8);
            var percent = HexFormat.of().withDelimiter("%");
            var forms = Stream.of(
                    value,
                    HexFormat.of().formatHex(bytes),
                    HexFormat.of().withUpperCase().formatHex(bytes),
                    url,
                    url.replace("+", "%20"),
                    "%" + percent.formatHex(bytes),
                    "%" + percent.withUpperCase().formatHex(bytes));
            var inBase64 = Stream.of(Base64.getEncoder(), Base64.getUrlEncoder())
                    .flatMap(encoder -> Stream.of(0, 1, 2).map(before -> inBase64(bytes, before, encoder)));
            return Stream.concat(forms, inBase64);
        }

        /**
         * The Base64 digits that depend on these bytes alone, if {@code before} other bytes precede them in a group of
         * three.
         */
        private static String inBase64(byte[] bytes, int before, Base64.Encoder encoder) {
            var group = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, group, before, bytes.length);
            var digits = encoder.withoutPadding().encode(group);
            int from = before == 0 ? 0 : before + 1;
            int to = group.length % 3 == 0 ? digits.length : digits.length - 1;
            return from < to ? new String(Arrays.copyOfRange(digits, from, to), UTF_8) : "";
        }
    }

    /** One form of a value, without separators. */
    private record Form(String text, long hash, long power) {
        static Form of(String text) {
            return new Form(text, Hash.of(text, text.length()), Hash.power(text.length()));
        }

        boolean isAt(int at, long[] hashes) {
            int end = at + text.length();
            return end < hashes.length && hashes[end] - hashes[at] * power == hash;
        }
    }

    /**
     * A polynomial hash: the hash of a part follows from those of two beginnings of the text. If two texts ever have the
     * same one, a text that is no secret is hidden, but no secret is shown.
     */
    private static final class Hash {
        static final long BASE = 0x9E37_79B9_7F4A_7C15L;

        private Hash() {}

        static long append(long hash, char c) {
            return hash * BASE + c;
        }

        static long power(int exponent) {
            long power = 1;
            for (int i = 0; i < exponent; i++) {
                power *= BASE;
            }
            return power;
        }

        static long of(String text, int length) {
            long hash = 0;
            for (int i = 0; i < length; i++) {
                hash = append(hash, text.charAt(i));
            }
            return hash;
        }

        /** The hashes of the first 0, 1, 2, … characters. */
        static long[] ofBeginnings(SearchableText text) {
            var hashes = new long[text.length() + 1];
            for (int i = 0; i < text.length(); i++) {
                hashes[i + 1] = append(hashes[i], text.charAt(i));
            }
            return hashes;
        }
    }
}
