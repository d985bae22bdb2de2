package io.mcpbridge.upstream;

import io.mcpbridge.failure.ProtocolException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Leads through the pages of one list of a server to its end. A server that lists in a circle is refused, but for one that
 * writes an empty cursor where it means none: it is asked for that page, as the cursor is a valid one, and ends its list by
 * answering with its first page again. One listing, one thread at a time.
 */
public final class PageTrail {
    /** A server that has more pages than this is taken to list in a circle. */
    private static final int MAX_PAGES = 1_000;

    /** All cursors of a list are kept while it is read. */
    private static final int LONGEST_CURSOR = 16 << 10;

    private static final int LONGEST_SHOWN = 40;

    /** As it stands in JSON. */
    private static final String EMPTY = "\"\"";

    private final String list;
    private final Set<String> cursors = new HashSet<>();
    private Optional<List<String>> first = Optional.empty();
    private String asked = "";

    /** @param list what is listed, such as {@code tools} */
    public PageTrail(String list) {
        this.list = list;
    }

    /** The params of the request for the first page. */
    public String begin() {
        return "{}";
    }

    /** Whether this answer has nothing new, since an empty cursor has led to the first page again. */
    public boolean isOver(ListPage page) {
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
    public Optional<String> next(ListPage page) {
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
                    "its list of %s never ends: the cursor %s came again or stands on page %d"
                            .formatted(list, cut(cursor), cursors.size() + 1));
        }
        asked = cursor;
    }

    private static String cut(String cursor) {
        return cursor.length() <= LONGEST_SHOWN ? cursor : cursor.substring(0, LONGEST_SHOWN) + "…";
    }
}
