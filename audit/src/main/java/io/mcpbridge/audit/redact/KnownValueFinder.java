package io.mcpbridge.audit.redact;

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
import java.util.function.Supplier;

/**
 * Finds known secret values, which come from the configuration or from the same call. It finds their plain, Base64,
 * hexadecimal and URL-encoded forms, also with blanks, colons or invisible characters between their characters.
 *
 * <p>The time of a search depends on the length of the text, not on the number of values. For one thread.
 */
final class KnownValueFinder {
    /** The shortest encoded or stripped form, in characters; shorter ones occur in ordinary words. */
    private static final int SHORTEST_FORM = 8;

    private final Supplier<? extends Collection<String>> source;
    private List<String> values = List.of();
    private List<String> shortValues = List.of();
    private Map<Integer, List<String>> formsByBeginning = Map.of();

    /** @param source supplies the current values */
    KnownValueFinder(Supplier<? extends Collection<String>> source) {
        this.source = source;
    }

    /** The current values. */
    List<String> values() {
        // An immutable list is not copied, and equals itself at once.
        var now = List.copyOf(source.get());
        if (!now.equals(values)) {
            values = now;
            shortValues = now.stream()
                    .filter(value -> stripped(value).length() < SHORTEST_FORM)
                    .toList();
            formsByBeginning = byBeginning(now);
        }
        return values;
    }

    boolean contains(String text) {
        return values().contains(text);
    }

    /** Adds each occurrence of a value in the text. */
    void find(String text, SecretSpans spans) {
        if (values().isEmpty()) {
            return;
        }
        for (var value : shortValues) {
            for (int at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length())) {
                spans.add(at, at + value.length());
            }
        }
        if (!formsByBeginning.isEmpty()) {
            findForms(StrippedText.of(text, KnownValueFinder::isLeftOut), spans);
        }
    }

    private void findForms(StrippedText stripped, SecretSpans spans) {
        var text = stripped.text();
        for (int at = 0; at + SHORTEST_FORM <= text.length(); at++) {
            for (var form : formsByBeginning.getOrDefault(beginning(text, at), List.of())) {
                if (text.startsWith(form, at)) {
                    stripped.addTo(spans, at, at + form.length());
                }
            }
        }
    }

    /**
     * The position of a value that may continue beyond the end of a truncated text; {@code end} if there is none before
     * it.
     */
    int startOfCutValue(String cut, int end) {
        int start = end;
        for (var value : values()) {
            for (int at = Math.max(0, cut.length() - value.length()); at < start; at++) {
                if (cut.regionMatches(at, value, 0, cut.length() - at)) {
                    start = at;
                }
            }
        }
        return start;
    }

    private static Map<Integer, List<String>> byBeginning(List<String> values) {
        var byBeginning = new HashMap<Integer, List<String>>();
        values.stream()
                .flatMap(value -> forms(value).stream())
                .map(KnownValueFinder::stripped)
                .filter(form -> form.length() >= SHORTEST_FORM)
                .distinct()
                .forEach(form -> byBeginning
                        .computeIfAbsent(beginning(form, 0), beginning -> new ArrayList<>())
                        .add(form));
        return byBeginning;
    }

    /** A hash of as many characters as each form has. */
    private static int beginning(String text, int at) {
        int hash = 0;
        for (int i = at; i < at + SHORTEST_FORM; i++) {
            hash = 31 * hash + text.charAt(i);
        }
        return hash;
    }

    private static String stripped(String text) {
        return StrippedText.of(text, KnownValueFinder::isLeftOut).text();
    }

    private static boolean isLeftOut(int c) {
        return c == ':' || Character.isWhitespace(c) || StrippedText.isInvisible(c);
    }

    private static List<String> forms(String value) {
        var bytes = value.getBytes(UTF_8);
        var url = URLEncoder.encode(value, UTF_8);
        var percent = HexFormat.of().withDelimiter("%");
        var forms = new ArrayList<>(List.of(
                value,
                HexFormat.of().formatHex(bytes),
                HexFormat.of().withUpperCase().formatHex(bytes),
                url,
                url.replace("+", "%20"),
                "%" + percent.formatHex(bytes),
                "%" + percent.withUpperCase().formatHex(bytes)));
        for (int before = 0; before < 3; before++) {
            forms.add(inBase64(bytes, before, Base64.getEncoder()));
            forms.add(inBase64(bytes, before, Base64.getUrlEncoder()));
        }
        return forms;
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
