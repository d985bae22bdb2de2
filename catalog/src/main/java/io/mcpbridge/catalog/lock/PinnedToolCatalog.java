package io.mcpbridge.catalog.lock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolFinding;
import io.mcpbridge.standard.MemoryToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;

/**
 * The catalog {@code pinned}: takes the tools that are defined as somebody approved them in a file. Any thread may use
 * it; reading is one volatile read.
 */
public final class PinnedToolCatalog implements ToolCatalog {
    private static final Comparator<ToolFinding> ORDER = Comparator.comparing(ToolFinding::server)
            .thenComparing(ToolFinding::tool)
            .thenComparing(ToolFinding::kind);

    private final LockFile file;
    private final LockMode mode;
    private final MemoryToolCatalog admitted = new MemoryToolCatalog();
    private final List<Consumer<List<ToolFinding>>> listeners = new CopyOnWriteArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Taken before {@code lock} by whoever reads or writes the file, for which lists do not wait. */
    private final ReentrantLock filing = new ReentrantLock();

    @GuardedBy("lock")
    private Lock pins;

    /** What was listed last, by the place in the catalog. */
    @GuardedBy("lock")
    private final Map<String, List<ToolDefinition>> listed = new TreeMap<>();

    @GuardedBy("lock")
    private final Map<String, List<ToolFinding>> found = new HashMap<>();

    private volatile List<ToolFinding> findings = List.of();

    private PinnedToolCatalog(LockFile file, LockMode mode, Lock pins) {
        this.file = file;
        this.mode = mode;
        this.pins = pins;
    }

    /**
     * Opens the catalog.
     *
     * @throws ConfigurationException if the file cannot be used, or is not there and its definitions are to be enforced
     */
    public static PinnedToolCatalog open(LockSettings settings) {
        var file = new LockFile(settings.lock());
        return new PinnedToolCatalog(file, settings.mode(), read(file, settings.mode()));
    }

    private static Lock read(LockFile file, LockMode mode) {
        if (mode == LockMode.OFF) {
            return Lock.EMPTY;
        }
        var pins = file.read();
        if (pins.isEmpty() && mode == LockMode.ENFORCE) {
            var words = "there is no lock file '%s', without which no tool could be called; write it with 'mcp-bridge"
                    + " lock', or set 'mode' to 'warn'";
            throw ConfigurationException.of(words.formatted(file.path()));
        }
        return pins.orElse(Lock.EMPTY);
    }

    @Override
    public Snapshot snapshot() {
        return admitted.snapshot();
    }

    @Override
    public boolean isStrict() {
        return mode == LockMode.ENFORCE;
    }

    @Override
    public List<ToolFinding> findings() {
        return findings;
    }

    @Override
    public void onFindings(Consumer<List<ToolFinding>> listener) {
        listeners.add(listener);
    }

    @Override
    public Change update(String server, List<ToolDefinition> tools) {
        Change change;
        List<ToolFinding> fresh;
        lock.lock();
        try {
            var before = findings;
            listed.put(server, List.copyOf(tools));
            change = review(server, tools);
            fresh = exchange(before);
        } finally {
            lock.unlock();
        }
        tell(fresh);
        return change;
    }

    @Override
    public Change remove(String server) {
        lock.lock();
        try {
            var before = findings;
            listed.remove(server);
            found.remove(server);
            var unused = exchange(before);
            return admitted.remove(server);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void approve() {
        filing.lock();
        try {
            var approved = file.read().orElse(Lock.EMPTY);
            for (var section : sections().entrySet()) {
                approved = approved.with(section.getKey(), section.getValue());
            }
            file.write(approved);
        } finally {
            filing.unlock();
        }
        var unused = reload();
    }

    /** What was listed last, by server. */
    private Map<String, Map<String, Pin>> sections() {
        var sections = new TreeMap<String, Map<String, Pin>>();
        lock.lock();
        try {
            listed.forEach((place, tools) -> {
                var section = sections.computeIfAbsent(server(place), absent -> new TreeMap<>());
                tools.forEach(tool -> section.computeIfAbsent(tool.name(), name -> pin(place, tool)));
            });
        } finally {
            lock.unlock();
        }
        return sections;
    }

    @Override
    public boolean reload() {
        var isChanged = false;
        List<ToolFinding> fresh;
        filing.lock();
        try {
            var newPins = read(file, mode);
            lock.lock();
            try {
                pins = newPins;
                var before = findings;
                for (var each : listed.entrySet()) {
                    isChanged |= !review(each.getKey(), each.getValue()).isEmpty();
                }
                fresh = exchange(before);
            } finally {
                lock.unlock();
            }
        } finally {
            filing.unlock();
        }
        tell(fresh);
        return isChanged;
    }

    @Override
    public void close() {
        admitted.close();
        lock.lock();
        try {
            listed.clear();
            found.clear();
            findings = List.of();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Change review(String place, List<ToolDefinition> tools) {
        if (mode == LockMode.OFF) {
            return admitted.update(place, tools);
        }
        var server = server(place);
        var review = Review.of(server, pins.of(server), tools, mode);
        found.put(place, review.findings());
        return admitted.update(place, review.admitted());
    }

    private static Pin pin(String place, ToolDefinition tool) {
        try {
            return Pin.of(tool);
        } catch (JacksonException unreadable) {
            var words = "the tool '%s' of server '%s' cannot be approved, since its definition cannot be compared: %s";
            throw ConfigurationException.of(words.formatted(
                    Hidden.escaped(tool.name()), server(place), Hidden.escaped(unreadable.getOriginalMessage())));
        }
    }

    /** Lays out what is found now; what was not found before. */
    @GuardedBy("lock")
    private List<ToolFinding> exchange(List<ToolFinding> before) {
        findings = found.values().stream()
                .flatMap(List::stream)
                .distinct()
                .sorted(ORDER)
                .toList();
        var known = new HashSet<>(before);
        return findings.stream().filter(finding -> !known.contains(finding)).toList();
    }

    private void tell(List<ToolFinding> fresh) {
        if (!fresh.isEmpty()) {
            listeners.forEach(listener -> listener.accept(new ArrayList<>(fresh)));
        }
    }

    /** The name in the configuration: what stands before the user, and before the number of a further list. */
    private static String server(String place) {
        return place.split("[@#]", 2)[0];
    }
}
