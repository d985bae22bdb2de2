package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tools of one upstream, listed when somebody asks and again when they changed. Any thread may use it.
 *
 * <p>Whoever asks while a listing is under way gets its outcome. The list is kept in the catalog.
 */
public final class UpstreamTools {

    /** Hears once what the list is; never waits. */
    public interface Listed {

        void tools(List<ToolDefinition> tools);

        void failed(Failure why);
    }

    private final Upstream upstream;
    private final Consumer<ToolCatalog.Change> onChange;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Listed> asking = new ArrayList<>();

    @GuardedBy("lock")
    private boolean isListing;

    private final AtomicLong changes = new AtomicLong();
    private volatile long listedAt = -1;
    private volatile boolean wasListed;
    private volatile @Nullable Caller lastCaller;
    private volatile boolean owesChange;

    /**
     * Makes the list of {@code upstream}, which nobody has asked for yet.
     *
     * @param onChange hears what a listing after the first one changed, if anything
     */
    public UpstreamTools(Upstream upstream, Consumer<ToolCatalog.Change> onChange) {
        this.upstream = upstream;
        this.onChange = onChange;
    }

    /** Tells {@code listed} the tools, at once if they are known, else after asking the server for {@code caller}. */
    public void list(Caller caller, Listed listed) {
        if (listedAt == changes.get()) {
            listed.tools(known());
            return;
        }
        var begins = false;
        lock.lock();
        try {
            asking.add(listed);
            begins = !isListing;
            isListing = true;
        } finally {
            lock.unlock();
        }
        if (begins) {
            begin(caller);
        }
    }

    /** One tool as it is known, without asking the server. */
    public Optional<ToolDefinition> find(String tool) {
        return upstream.parts().catalog().snapshot().find(upstream.name(), tool);
    }

    /** The server's list has changed, so the next one who asks hears the new one. */
    public void invalidate() {
        changes.incrementAndGet();
    }

    /** Asks the server again, for whoever asked last; does nothing while nobody has asked yet. */
    public void relist() {
        var caller = lastCaller;
        if (caller != null) {
            list(caller, new Listed() {
                @Override
                public void tools(List<ToolDefinition> tools) {}

                @Override
                public void failed(Failure why) {}
            });
        }
    }

    /** Somebody was given a list without this server, so its next listing counts as a change. */
    public void oweChange() {
        owesChange = true;
    }

    /** Whether the list was read at least once. */
    public boolean wasListed() {
        return wasListed;
    }

    private List<ToolDefinition> known() {
        return upstream.parts().catalog().snapshot().tools().getOrDefault(upstream.name(), List.of());
    }

    private void begin(Caller caller) {
        lastCaller = caller;
        // Read before the listing, so that a change which comes during it is not overlooked.
        var at = changes.get();
        var correlationId = "list-" + upstream.name();
        new ToolListing(upstream, caller, correlationId, new ToolListing.Ending() {
                    @Override
                    public void listed(List<ToolDefinition> tools) {
                        keep(tools, at, correlationId);
                    }

                    @Override
                    public void failed(Failure why) {
                        takeAsking().forEach(each -> each.failed(why));
                    }
                })
                .begin();
    }

    private void keep(List<ToolDefinition> tools, long at, String correlationId) {
        // A change that came while the server was listing may be missing from what it listed.
        var isStale = at != changes.get();
        var change = upstream.parts().catalog().update(upstream.name(), tools);
        var again = wasListed;
        var owed = owesChange;
        wasListed = true;
        owesChange = false;
        listedAt = at;
        upstream.parts().events().publish(again ? refreshed(change, correlationId) : discovered(tools, correlationId));
        var sorted = known();
        takeAsking().forEach(each -> each.tools(sorted));
        if (owed || (again && !change.isEmpty())) {
            onChange.accept(change);
        }
        if (isStale) {
            relist();
        }
    }

    private BridgeEvent discovered(List<ToolDefinition> tools, String correlationId) {
        var names = tools.stream().map(ToolDefinition::name).toList();
        return new BridgeEvent.ToolsDiscovered(upstream.name(), correlationId, names.size(), names);
    }

    private BridgeEvent refreshed(ToolCatalog.Change change, String correlationId) {
        return new BridgeEvent.ToolsRefreshed(
                upstream.name(), correlationId, change.added(), change.removed(), change.unchanged());
    }

    private List<Listed> takeAsking() {
        lock.lock();
        try {
            var taken = asking;
            asking = new ArrayList<>();
            isListing = false;
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
