package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.config.ListLimits;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.JsonSplitter;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Follows the cursors of one list and detects loops. Rejects a server whose pages form a loop, with one exception: an
 * empty cursor is valid, so its page is requested, and the list ends if the server returns the first page again. For
 * one listing; one thread at a time.
 */
final class CursorTracker {
    /** The largest number of pages; a server with more is assumed to loop. */
    private static final int MAX_PAGES = 1_000;

    /** All cursors of a list are kept while it is read. */
    private static final int LONGEST_CURSOR = 16 << 10;

    private static final int LONGEST_SHOWN = 40;
    private static final String NONE = "null";

    /** As it is written in JSON. */
    private static final String EMPTY = "\"\"";

    private final String list;
    private final Set<String> cursors = new HashSet<>();
    private Optional<List<String>> first = Optional.empty();
    private String asked = "";

    /** @param list what is listed, such as {@code tools} */
    CursorTracker(String list) {
        this.list = list;
    }

    /** Whether this page is the first one again, after an empty cursor. */
    boolean isOver(Page page) {
        var isRepeated =
                asked.equals(EMPTY) && first.filter(page.elements()::equals).isPresent();
        first = first.or(() -> Optional.of(page.elements()));
        return isRepeated;
    }

    /**
     * The params of the request for the page behind this one; empty if it is the last.
     *
     * @throws ProtocolException if the list never ends, or its cursor is too long to be kept
     */
    Optional<String> next(Page page) {
        page.cursor().ifPresent(this::follow);
        return page.cursor().map("{\"cursor\":%s}"::formatted);
    }

    private void follow(String cursor) {
        if (cursor.length() > LONGEST_CURSOR) {
            throw ProtocolException.upstreamInvalid(
                    "its list of %s has a cursor of %d characters, but at most %d are taken"
                            .formatted(list, cursor.length(), LONGEST_CURSOR));
        }
        if (!cursors.add(cursor) || cursors.size() >= MAX_PAGES) {
            throw ProtocolException.upstreamInvalid(
                    "its list of %s never ends: the cursor %s came again or is on page %d"
                            .formatted(list, VisibleText.beginning(cursor, LONGEST_SHOWN), cursors.size() + 1));
        }
        asked = cursor;
    }

    /**
     * One page of a server, split into raw elements, so that an invalid element does not affect the others.
     *
     * @param elements the raw elements in their order, but for those that lie far beyond the limits
     * @param cursor the raw cursor of the next page; empty if this is the last
     */
    record Page(List<String> elements, Optional<String> cursor) {

        /**
         * Reads a result. Of more elements than {@code limits} allow in all, one is read that is beyond them, and no
         * further.
         *
         * @param member the member with its elements, such as {@code tools}
         * @throws ProtocolException if there is no such array
         */
        static Page of(Response page, String member, ListLimits limits) {
            var result = JsonSplitter.members(page.raw(MessageField.RESULT).orElse("{}"));
            var list = result.getOrDefault(member, "missing");
            if (!list.startsWith("[")) {
                throw ProtocolException.upstreamInvalid("in its answer '%s' is %s but must be an array"
                        .formatted(member, VisibleText.beginning(list, LONGEST_SHOWN)));
            }
            var cursor = Optional.of(result.getOrDefault("nextCursor", NONE)).filter(raw -> !raw.equals(NONE));
            return new Page(JsonSplitter.firstElements(list, limits.items() + 1L), cursor);
        }
    }
}
