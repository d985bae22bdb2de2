package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.mcpbridge.failure.ProtocolException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes out of a refused answer the elements of its list that are no JSON, where it is clear where they begin and end, and
 * they are few; and a {@code _meta} beside the list that is no object. For the error path only; serves one frame, whose
 * tokens it counts as one message.
 */
final class ListRepair {
    /** As many elements of one answer are taken out; each costs an exception and its words. */
    static final int MOST = 100;

    /** A longer name or URI is not kept. */
    static final int LONGEST_KEY = 1024;

    /** The message, the result and the list lie around an element. */
    private static final int DEPTH_OUTSIDE = 3;

    private static final String RESULT = "result";
    private static final String META = "_meta";
    private static final byte[] NOTHING = {'n', 'u', 'l', 'l'};

    /** What the elements of each list are asked for by. */
    private static final Map<String, String> KEYS =
            Map.of("tools", "name", "prompts", "name", "resources", "uri", "resourceTemplates", "uriTemplate");

    private final byte[] json;
    private final Limits limits;
    private final JsonScanner strict;
    private final LooseScanner loose;
    private final List<Broken> broken = new ArrayList<>();
    private final List<Edit> metas = new ArrayList<>();
    private boolean hasList;

    private ListRepair(byte[] json, Limits limits) {
        this.json = json;
        this.limits = limits;
        this.strict = new JsonScanner(json, limits);
        this.loose = new LooseScanner(json);
    }

    /**
     * The answer without what is wrong; empty if that is more than {@link #MOST} elements or nothing, if it is not clear
     * where one of them ends, or if the frame is no answer.
     *
     * @throws ProtocolException if they can be taken out, and what remains is refused for another reason
     */
    static Optional<Message> of(byte[] json, Limits limits) {
        if (json.length > limits.maxBytes()) {
            return Optional.empty();
        }
        var repair = new ListRepair(json, limits);
        return repair.isFollowed() && repair.finds() ? repair.answer() : Optional.empty();
    }

    private boolean finds() {
        return !broken.isEmpty() || (hasList && !metas.isEmpty());
    }

    private boolean isFollowed() {
        int open = loose.space(0);
        return loose.byteAt(open) == '{' && loose.object(open, this::member) != LooseScanner.LOST;
    }

    private int member(int keyStart, int keyEnd, int value) {
        boolean isResult = loose.byteAt(value) == '{' && isKey(RESULT, keyStart, keyEnd);
        return isResult ? loose.object(value, this::memberOfResult) : loose.value(value);
    }

    private int memberOfResult(int keyStart, int keyEnd, int value) {
        if (loose.byteAt(value) != '{' && isKey(META, keyStart, keyEnd)) {
            return meta(value);
        }
        if (loose.byteAt(value) == '[') {
            for (var list : KEYS.keySet()) {
                if (isKey(list, keyStart, keyEnd)) {
                    hasList = true;
                    return loose.array(value, new Elements(list)::element);
                }
            }
        }
        return loose.value(value);
    }

    /** The first one alone; a second is one too many, whatever it is. */
    private int meta(int value) {
        int end = loose.value(value);
        if (end != LooseScanner.LOST && metas.isEmpty()) {
            metas.add(Edit.removing(value, end));
        }
        return end;
    }

    /** As it is written: one that hides a known name behind escapes is not looked for. */
    private boolean isKey(String name, int from, int to) {
        return to - from == name.length() && new String(json, from, to - from, US_ASCII).equals(name);
    }

    private Optional<Message> answer() {
        var repaired = json.clone();
        broken.forEach(each -> each.blank(repaired));
        Removals.of(repaired, metas)
                .runs()
                .forEach(member -> Arrays.fill(repaired, member.start(), member.end(), (byte) ' '));
        var elements = broken.stream().map(Broken::element).toList();
        return EnvelopeScanner.scan(repaired, limits) instanceof Response response
                ? Optional.of(response.without(elements))
                : Optional.empty();
    }

    /** The elements of one list. */
    private final class Elements {
        private final String list;
        private int index;

        private Elements(String list) {
            this.list = list;
        }

        int element(int start) {
            int end;
            try {
                end = strict.value(start, DEPTH_OUTSIDE);
            } catch (ProtocolException unreadable) {
                end = unreadable(start, unreadable.failure().message());
            }
            index++;
            return end;
        }

        private int unreadable(int start, String why) {
            int end = strict.isSpent() || broken.size() == MOST ? LooseScanner.LOST : loose.value(start);
            if (end != LooseScanner.LOST) {
                broken.add(new Broken(start, end, new UnreadableElement(list, index, key(start), why)));
            }
            return end;
        }

        private String key(int start) {
            var places = new ArrayList<Integer>(1);
            if (loose.byteAt(start) == '{') {
                loose.object(start, (keyStart, keyEnd, value) -> {
                    if (places.isEmpty() && isKey(KEYS.getOrDefault(list, ""), keyStart, keyEnd)) {
                        places.add(value);
                    }
                    return loose.value(value);
                });
            }
            return places.isEmpty() ? "" : text(places.get(0));
        }

        private String text(int value) {
            try {
                int end = loose.byteAt(value) == '"' ? new JsonTokens(json).string(value) : 0;
                return end == 0 || end - value > LONGEST_KEY + 2 ? "" : JsonText.decode(json, value + 1, end - 1);
            } catch (ProtocolException unreadable) {
                return "";
            }
        }
    }

    /** Where an unreadable element lies. */
    private record Broken(int start, int end, UnreadableElement element) {

        /** Puts into its place what can be read, and is no longer. */
        void blank(byte[] repaired) {
            Arrays.fill(repaired, start, end, (byte) ' ');
            if (end - start < NOTHING.length) {
                repaired[start] = '0';
            } else {
                System.arraycopy(NOTHING, 0, repaired, start, NOTHING.length);
            }
        }
    }
}
