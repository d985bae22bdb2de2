package io.mcpbridge.catalog.lock;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.catalog.lock.LockFile.Pins;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalog.ToolFinding;
import io.mcpbridge.spi.ToolCatalog.ToolFinding.Kind;
import io.mcpbridge.spi.ToolCatalogProvider;
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

/**
 * The catalog {@code pinned}: admits the tools whose definitions are approved in a lock file. Any thread; a snapshot is one
 * volatile read.
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

    /** Guards the file; acquired before {@code lock}, so that no list waits for the file. */
    private final ReentrantLock fileLock = new ReentrantLock();

    @GuardedBy("lock")
    private Pins pins;

    /** The latest lists, by key of the catalog. */
    @GuardedBy("lock")
    private final Map<String, List<ToolDefinition>> listed = new TreeMap<>();

    @GuardedBy("lock")
    private final Map<String, List<ToolFinding>> found = new HashMap<>();

    private volatile List<ToolFinding> findings = List.of();

    private PinnedToolCatalog(LockFile file, LockMode mode, Pins pins) {
        this.file = file;
        this.mode = mode;
        this.pins = pins;
    }

    /**
     * Opens the catalog.
     *
     * @throws ConfigurationException if the file cannot be used, or does not exist in mode {@code enforce}
     */
    public static PinnedToolCatalog open(LockSettings settings) {
        var file = new LockFile(settings.lock());
        return new PinnedToolCatalog(file, settings.mode(), read(file, settings.mode()));
    }

    private static Pins read(LockFile file, LockMode mode) {
        if (mode == LockMode.OFF) {
            return Pins.EMPTY;
        }
        var pins = file.read();
        if (pins.isEmpty() && mode == LockMode.ENFORCE) {
            var message =
                    "there is no lock file '%s', so no tool can be called; write it with 'mcp-bridge lock', or set"
                            + " 'mode' to 'warn'";
            throw ConfigurationException.of(message.formatted(file.path()));
        }
        return pins.orElse(Pins.EMPTY);
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
            fresh = replaceFindings(before);
        } finally {
            lock.unlock();
        }
        notifyListeners(fresh);
        return change;
    }

    @Override
    public Change remove(String server) {
        lock.lock();
        try {
            var before = findings;
            listed.remove(server);
            found.remove(server);
            var unused = replaceFindings(before);
            return admitted.remove(server);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void approve() {
        fileLock.lock();
        try {
            var approved = file.read().orElse(Pins.EMPTY);
            for (var section : sections().entrySet()) {
                approved = approved.with(section.getKey(), section.getValue());
            }
            file.write(approved);
        } finally {
            fileLock.unlock();
        }
        var unused = reload();
    }

    /** The pins of the latest lists, by server. */
    private Map<String, Map<String, Pin>> sections() {
        var sections = new TreeMap<String, Map<String, Pin>>();
        lock.lock();
        try {
            listed.forEach((key, tools) -> {
                var section = sections.computeIfAbsent(server(key), absent -> new TreeMap<>());
                tools.forEach(tool -> section.computeIfAbsent(tool.name(), name -> pin(key, tool)));
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
        fileLock.lock();
        try {
            var newPins = read(file, mode);
            lock.lock();
            try {
                pins = newPins;
                var before = findings;
                for (var each : listed.entrySet()) {
                    isChanged |= !review(each.getKey(), each.getValue()).isEmpty();
                }
                fresh = replaceFindings(before);
            } finally {
                lock.unlock();
            }
        } finally {
            fileLock.unlock();
        }
        notifyListeners(fresh);
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
    private Change review(String key, List<ToolDefinition> tools) {
        if (mode == LockMode.OFF) {
            return admitted.update(key, tools);
        }
        var server = server(key);
        var review = new Review(server, pins.of(server), mode == LockMode.ENFORCE);
        tools.forEach(review::take);
        review.missing(tools);
        found.put(key, review.findings);
        return admitted.update(key, review.admitted);
    }

    private static Pin pin(String key, ToolDefinition tool) {
        try {
            return Pin.of(tool);
        } catch (ProtocolException unreadable) {
            var message =
                    "the tool '%s' of server '%s' cannot be approved, since its definition cannot be compared: %s";
            throw ConfigurationException.of(message.formatted(
                    VisibleText.of(tool.name()),
                    server(key),
                    VisibleText.of(unreadable.failure().message())));
        }
    }

    /** Replaces the findings; returns those that are new. */
    @GuardedBy("lock")
    private List<ToolFinding> replaceFindings(List<ToolFinding> before) {
        findings = found.values().stream()
                .flatMap(List::stream)
                .distinct()
                .sorted(ORDER)
                .toList();
        var known = new HashSet<>(before);
        return findings.stream().filter(finding -> !known.contains(finding)).toList();
    }

    private void notifyListeners(List<ToolFinding> fresh) {
        if (!fresh.isEmpty()) {
            listeners.forEach(listener -> listener.accept(new ArrayList<>(fresh)));
        }
    }

    /** The name in the configuration: the key without the user and without the number of a further list. */
    private static String server(String key) {
        return key.split("[@#]", 2)[0];
    }

    /** Compares the tools that one server lists with its pins: which are admitted, and what there is to report. */
    private static final class Review {
        /** A longer description may hide its end from a reader. */
        private static final int MAX_READ_CHARACTERS = 5_000;

        private final String server;
        private final Map<String, Pin> pins;
        private final boolean isStrict;
        private final List<ToolDefinition> admitted = new ArrayList<>();
        private final List<ToolFinding> findings = new ArrayList<>();

        private Review(String server, Map<String, Pin> pins, boolean isStrict) {
            this.server = server;
            this.pins = pins;
            this.isStrict = isStrict;
        }

        private void take(ToolDefinition tool) {
            if (isApproved(tool) || !isStrict) {
                admitted.add(tool);
            }
        }

        private boolean isApproved(ToolDefinition tool) {
            Pin found;
            try {
                found = Pin.of(tool);
            } catch (ProtocolException unreadable) {
                var why = "its definition cannot be compared: "
                        + VisibleText.of(unreadable.failure().message());
                add(tool, Kind.SUSPICIOUS, why, List.of(), isStrict);
                return false;
            }
            var definition = found.definition();
            var remarks = remarks(tool, definition);
            var approved = pins.get(tool.name());
            if (approved == null) {
                var details = new ArrayList<>(DefinitionDiff.between(Map.of(), definition));
                details.addAll(remarks);
                add(tool, Kind.NEW, "it is not approved", details, isStrict);
                return false;
            }
            if (!approved.hash().equals(found.hash())) {
                changed(tool, approved.definition(), definition, remarks);
                return false;
            }
            if (!remarks.isEmpty()) {
                add(tool, Kind.SUSPICIOUS, "its definition is approved; look at it again", remarks, false);
            }
            return true;
        }

        private void changed(ToolDefinition tool, Map<?, ?> before, Map<?, ?> now, List<String> remarks) {
            var details = new ArrayList<>(DefinitionDiff.between(before, now));
            details.addAll(remarks);
            var names = DefinitionDiff.names(before, now).stream().collect(joining("', '", "'", "'"));
            add(tool, Kind.CHANGED, "its definition differs from the approved one in " + names, details, isStrict);
        }

        /** Lists the passages of a definition that a reader may overlook. */
        private static List<String> remarks(ToolDefinition tool, Map<?, ?> definition) {
            var remarks = new ArrayList<String>();
            HiddenCharacters.find(definition).forEach(place -> remarks.add("! hidden characters in " + place));
            var length = tool.description().map(String::length).orElse(0);
            if (length > MAX_READ_CHARACTERS) {
                remarks.add("! /description has %d characters, which is more than people read".formatted(length));
            }
            return remarks;
        }

        private void missing(List<ToolDefinition> listed) {
            var names = listed.stream().map(ToolDefinition::name).collect(toSet());
            pins.keySet().stream()
                    .filter(name -> !names.contains(name))
                    .map(name ->
                            new ToolFinding(server, name, Kind.GONE, "its server no longer lists it", List.of(), false))
                    .forEach(findings::add);
        }

        private void add(ToolDefinition tool, Kind kind, String reason, List<String> details, boolean isQuarantined) {
            findings.add(new ToolFinding(server, tool.name(), kind, reason, details, isQuarantined));
        }
    }

    /** Provides {@code pinned}: a catalog of the tools whose definitions a lock file approves. */
    public static final class PinnedToolCatalogProvider implements ToolCatalogProvider {

        @Override
        public Id id() {
            return new Id("pinned", SPI_VERSION);
        }

        @Override
        public ToolCatalog create(Settings settings, Environment environment) {
            return settings.locate(() -> PinnedToolCatalog.open(LockSettings.from(settings)));
        }
    }
}
