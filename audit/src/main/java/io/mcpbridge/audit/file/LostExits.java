package io.mcpbridge.audit.file;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The calls whose exit is not in the trail. The next start ends them in doubt, but only so many: what is open is
 * remembered, and beyond that the note that tells how many records are missing has to do. Any thread may add, the writer
 * does the rest.
 */
final class LostExits {
    private final LinkedBlockingQueue<String> added;
    private final int most;
    private final int mostInDoubt;
    private final Set<String> remembered = new LinkedHashSet<>();
    private int inDoubt;

    /**
     * None so far.
     *
     * @param most how many are remembered whose enter is on its way; of those beyond, the enters were refused as well
     * @param mostInDoubt how many calls are left open
     */
    LostExits(int most, int mostInDoubt) {
        this.added = new LinkedBlockingQueue<>(most);
        this.most = most;
        this.mostInDoubt = mostInDoubt;
    }

    void add(String correlationId) {
        // Full means that the call may stay open, which the next start tells.
        var unused = added.offer(correlationId);
    }

    /** Takes over what was added. */
    void remember() {
        var more = new ArrayList<String>();
        added.drainTo(more, most - remembered.size());
        remembered.addAll(more);
    }

    /** Looks after the calls that are open; {@code all} says that no enter of the others is on its way. */
    void leave(OpenCalls open, boolean all) {
        if (remembered.isEmpty()) {
            return;
        }
        var calls = open.calls().keySet();
        // Each group asks, and where a disk is too slow for its callers many are remembered.
        var isFewer = remembered.size() < calls.size();
        for (var each : List.copyOf(isFewer ? remembered : calls)) {
            if ((isFewer ? calls : remembered).contains(each)) {
                remembered.remove(each);
                leave(open, each);
            }
        }
        if (all) {
            remembered.clear();
        }
    }

    private void leave(OpenCalls open, String correlationId) {
        if (inDoubt < mostInDoubt) {
            inDoubt++;
        } else {
            open.left(correlationId);
        }
    }
}
