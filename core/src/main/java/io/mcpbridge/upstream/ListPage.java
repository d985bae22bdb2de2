package io.mcpbridge.upstream;

import io.mcpbridge.config.ListLimits;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.JsonPieces;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.message.UnreadableElement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One page of a list as a server answers with it, cut into its elements and no further, so that what is wrong with one of
 * them is its own matter. Immutable.
 */
public final class ListPage {
    private static final String NONE = "null";
    private static final int LONGEST_VALUE = 40;

    private final List<String> elements;
    private final Map<Integer, UnreadableElement> unreadable;
    private final String cursor;

    private ListPage(List<String> elements, Map<Integer, UnreadableElement> unreadable, String cursor) {
        this.elements = elements;
        this.unreadable = unreadable;
        this.cursor = cursor;
    }

    /**
     * Reads a result. Of more elements than {@code limits} allow in all, one is read that is beyond them, and no further.
     *
     * @param member where its elements stand, such as {@code tools}
     * @throws ProtocolException if there is no such array
     */
    public static ListPage of(Response page, String member, ListLimits limits) {
        var result = JsonPieces.members(page.raw(Part.RESULT).orElse("{}"));
        var list = result.getOrDefault(member, "missing");
        if (!list.startsWith("[")) {
            throw ProtocolException.upstreamInvalid(
                    "in its answer '%s' is %s but must be an array".formatted(member, cut(list)));
        }
        var unreadable = page.unreadable().stream()
                .filter(each -> each.list().equals(member))
                .collect(Collectors.toMap(UnreadableElement::index, Function.identity()));
        var elements = JsonPieces.firstElements(list, limits.items() + 1L);
        return new ListPage(elements, unreadable, result.getOrDefault("nextCursor", NONE));
    }

    /** The raw elements in their order, but for those that lie far beyond the limits. */
    public List<String> elements() {
        return elements;
    }

    /** What is wrong with the element there that could not be read. */
    public Optional<UnreadableElement> unreadable(int index) {
        return Optional.ofNullable(unreadable.get(index));
    }

    /** The raw cursor of the next page; empty if this is the last. */
    public Optional<String> cursor() {
        return cursor.equals(NONE) ? Optional.empty() : Optional.of(cursor);
    }

    private static String cut(String raw) {
        return raw.length() <= LONGEST_VALUE ? raw : raw.substring(0, LONGEST_VALUE) + "…";
    }
}
