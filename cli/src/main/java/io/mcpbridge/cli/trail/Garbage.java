package io.mcpbridge.cli.trail;

import io.mcpbridge.failure.VisibleText;
import java.util.ArrayList;
import java.util.List;

/** Lines that are no records: the first few are told one by one, of the others each 1,000th. */
final class Garbage {
    private static final int FEW = 5;
    private static final int MANY = 1_000;

    private final List<String> untold = new ArrayList<>();
    private long count;

    /** Notes a line that ends before {@code end}. */
    void note(TrailPlace end, String why) {
        count++;
        if (count <= FEW || count % MANY == 0) {
            untold.add("segment '%s', before byte %d: %s (%d so far)"
                    .formatted(end.segment().name(), end.offset(), VisibleText.of(why), count));
        }
    }

    List<String> untold() {
        var all = List.copyOf(untold);
        untold.clear();
        return all;
    }
}
