package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.upstream.lists.ListKind;
import java.util.function.Consumer;

/** Lists of all servers together, as each caller may see them. Any thread; never waits. */
final class Lists {
    private final Timekeeper timekeeper;
    private final RoutingLog log;
    private final KeptLists kept = new KeptLists();

    Lists(Timekeeper timekeeper, System.Logger logger) {
        this.timekeeper = timekeeper;
        this.log = new RoutingLog(logger);
    }

    /** Hands the list to {@code then}, at once if every server's is known and still holds. */
    <T> void merged(Routes routes, Call call, ListKind<T> kind, Consumer<MergedList<T>> then) {
        new Merging<>(new Merging.Order<>(routes, call.caller(), kind, Merging.Means.LIST), log, kept, then)
                .begin(timekeeper);
    }

    /** The same, but what a server listed once is enough: to find out who owns a name, which many calls ask. */
    <T> void known(Routes routes, Call call, ListKind<T> kind, Consumer<MergedList<T>> then) {
        new Merging<>(new Merging.Order<>(routes, call.caller(), kind, Merging.Means.KNOWN), log, kept, then)
                .begin(timekeeper);
    }

    /** The same for a name that nobody has listed, but somebody may have by now. */
    <T> void sought(Routes routes, Call call, ListKind<T> kind, Consumer<MergedList<T>> then) {
        new Merging<>(new Merging.Order<>(routes, call.caller(), kind, Merging.Means.SOUGHT), log, kept, then)
                .begin(timekeeper);
    }

    /** The same where it is known whose it would be. */
    void seek(Seeking seeking) {
        seeking.begin(timekeeper);
    }
}
