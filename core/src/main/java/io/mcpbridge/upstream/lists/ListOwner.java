package io.mcpbridge.upstream.lists;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.lists.UpstreamList.Listed;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Whose list a {@link ServerList} is; hears of what is more than its own matter. */
interface ListOwner<T> {

    /** The number of the last change of any list. */
    AtomicLong changes();

    /** Leaves out what nobody can use; one of the two hears of it, now or later. */
    void sift(Sifted<T> listed, Consumer<Sifted<T>> kept, Consumer<Failure> failed);

    /** Whoever was told the list before is told that it has changed. */
    void changed();

    /** The server says that what it listed is for {@code caller} alone. */
    void isPrivate(ServerList<T> list, Caller caller);

    /** Asks again for somebody who waited for what turned out to be somebody else's. */
    void ask(Caller caller, Listed<T> listed);
}
