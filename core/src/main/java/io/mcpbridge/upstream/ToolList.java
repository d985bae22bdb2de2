package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.UpstreamTools.Listed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One list of tools of one server, which all callers share that may share its sessions. Any thread may use it.
 *
 * <p>Whoever asks while a listing is under way gets its outcome. The list is kept in the catalog.
 */
final class ToolList {
    private final Upstream upstream;
    private final String place;
    private final Consumer<ToolCatalog.Change> onChange;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private List<Listed> asking = new ArrayList<>();

    @GuardedBy("lock")
    private boolean isListing;

    private final AtomicLong changes = new AtomicLong();
    private final AtomicBoolean owesChange = new AtomicBoolean();
    private volatile long listedAt = -1;
    private volatile boolean wasListed;
    private volatile @Nullable Caller lastCaller;

    /** @param place where it is kept in the catalog */
    ToolList(Upstream upstream, String place, Consumer<ToolCatalog.Change> onChange) {
        this.upstream = upstream;
        this.place = place;
        this.onChange = onChange;
    }

    void list(Caller caller, Listed listed) {
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

    Optional<ToolDefinition> find(String tool) {
        return catalog().snapshot().find(place, tool);
    }

    void invalidate() {
        changes.incrementAndGet();
    }

    /** Asks the server again, for whoever asked last; a session that belongs to one user is not opened for that. */
    void relist() {
        var caller = lastCaller;
        if (caller != null && (upstream.settings().shared() || upstream.isConnected(caller))) {
            list(caller, new Listed() {
                @Override
                public void tools(List<ToolDefinition> tools) {}

                @Override
                public void failed(Failure why) {}
            });
        }
    }

    void oweChange() {
        owesChange.set(true);
    }

    void forget() {
        catalog().remove(place);
    }

    private ToolCatalog catalog() {
        return upstream.parts().catalog();
    }

    private List<ToolDefinition> known() {
        return catalog().snapshot().tools().getOrDefault(place, List.of());
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
        if (upstream.isClosed()) {
            // The catalog may show a successor of the same name by now.
            takeAsking().forEach(each -> each.failed(upstream.closedFailure()));
            return;
        }
        var change = catalog().update(place, tools);
        var again = wasListed;
        var owed = owesChange.getAndSet(false);
        wasListed = true;
        listedAt = at;
        upstream.parts().events().publish(again ? refreshed(change, correlationId) : discovered(tools, correlationId));
        var sorted = known();
        takeAsking().forEach(each -> each.tools(sorted));
        if (owed || (again && !change.isEmpty())) {
            onChange.accept(change);
        }
        // A change that came meanwhile may be missing; whoever told it may have joined the listing that ends here.
        if (at != changes.get()) {
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
