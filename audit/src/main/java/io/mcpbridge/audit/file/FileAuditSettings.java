package io.mcpbridge.audit.file;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.HomePath;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Where the trail is kept, how safely, and for how long.
 *
 * @param path the folder of the segments
 * @param durability whether each group of records is on the device before its completions are told
 * @param segmentSize how large a segment becomes, by a group of records more or less
 * @param keepFor how old sealed segments become before they are removed; zero for ever
 * @param keepSize how large the trail becomes before its oldest sealed segments are removed; zero without end
 * @param key the file of the private key that signs checkpoints
 * @param syncEvery how long what is written may stay in memory of the system, where groups are not synced each
 */
public record FileAuditSettings(
        Path path,
        Durability durability,
        long segmentSize,
        Duration keepFor,
        long keepSize,
        Path key,
        Duration syncEvery) {
    private static final long USUAL_SEGMENT = 64L << 20;
    private static final long SMALLEST_SEGMENT = 4096;
    private static final Duration USUAL_SYNC = Duration.ofMillis(100);
    private static final Duration LONGEST_SYNC = Duration.ofMinutes(1);

    /** When a completion is told. */
    public enum Durability {
        /** Once the group of records is on the device. */
        EACH_GROUP,
        /** Once the system has the record; it is on the device soon after. */
        SOON
    }

    public FileAuditSettings {
        require(segmentSize >= SMALLEST_SEGMENT, "segment-size", segmentSize + "B", "at least 4KiB");
        require(!keepFor.isNegative(), "keep.for", keepFor, "longer than zero");
        require(keepSize >= 0, "keep.size", keepSize, "larger than zero");
        require(
                syncEvery.toMillis() >= 1 && syncEvery.compareTo(LONGEST_SYNC) <= 0,
                "sync-every",
                syncEvery.toMillis() + "ms",
                "between 1ms and 1m");
        require(
                !whole(key).startsWith(whole(path)),
                "key",
                "'" + key + "'",
                "outside of the folder of the trail, '" + path + "': whoever has that could sign another trail");
    }

    /** The usual ones for a trail in this folder; its key lies beside the folder. */
    public static FileAuditSettings in(Path path) {
        return new FileAuditSettings(
                path, Durability.SOON, USUAL_SEGMENT, Duration.ZERO, 0, keyBeside(path), USUAL_SYNC);
    }

    /**
     * Reads the {@code audit} section, of which other parts have read their keys before.
     *
     * @param variables tell where the default path is: {@code XDG_STATE_HOME} or {@code HOME}
     * @throws ConfigurationException with all mistakes that were noted in the section
     */
    public static FileAuditSettings from(Settings audit, Map<String, String> variables) {
        audit.ignore("sink");
        var usual = in(path(audit, variables));
        var keep = audit.section("keep");
        var kept = new Kept(span(keep), keep.size("size", 0));
        audit.noting(() -> keep.finish(() -> kept), kept);
        var durability = durability(audit);
        var segmentSize = audit.size("segment-size", usual.segmentSize());
        var key = path(audit, "key", usual.key(), variables);
        var syncEvery = audit.duration("sync-every", usual.syncEvery());
        return audit.finish(() ->
                new FileAuditSettings(usual.path(), durability, segmentSize, kept.span(), kept.size(), key, syncEvery));
    }

    /** The folder of the trail, as an {@code audit} section says it. */
    public static Path path(Settings audit, Map<String, String> variables) {
        return path(audit, "path", defaultPath(variables), variables);
    }

    private static Path path(Settings audit, String key, Path otherwise, Map<String, String> variables) {
        var text = audit.text(key);
        if (text.filter(String::isEmpty).isPresent()) {
            audit.reject(key, "a path; leave it out for the usual one");
            return otherwise;
        }
        return text.map(path -> audit.noting(() -> HomePath.of(path, variables), otherwise))
                .orElse(otherwise);
    }

    /** The folder that is used where none is named. */
    public static Path defaultPath(Map<String, String> variables) {
        var state = variables.getOrDefault("XDG_STATE_HOME", "");
        var base = state.isEmpty() ? HomePath.home(variables).resolve(".local").resolve("state") : Path.of(state);
        return base.resolve("mcp-bridge").resolve("audit");
    }

    /** Where the public half of the key lies. */
    public Path publicKey() {
        return SigningKeyFiles.publicFile(key);
    }

    /** Where the key lies that hides values which are kept out of records. */
    static Path redactionKey(Path path) {
        return beside(path, "-redaction.key");
    }

    /**
     * Refuses a key that hides values where whoever has the trail would have it too, or where the one that signs is.
     *
     * @throws ConfigurationException that says which of the two it is
     */
    void requireApart(Path redactionKey) {
        require(
                !whole(redactionKey).startsWith(whole(path)),
                "redact.key",
                "'" + redactionKey + "'",
                "outside of the folder of the trail, '" + path + "': whoever has that could try values out");
        if (whole(redactionKey).equals(whole(key))) {
            throw ConfigurationException.of(
                    "'key' and 'redact.key' both name '%s', but must be two files: the one signs checkpoints, the other hides values"
                            .formatted(redactionKey));
        }
    }

    private static Path whole(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static Path keyBeside(Path path) {
        return beside(path, ".key");
    }

    private static Path beside(Path path, String ending) {
        var folder = path.toAbsolutePath().normalize();
        var name = folder.getFileName() == null ? "audit" : folder.getFileName().toString();
        return folder.resolveSibling(name + ending);
    }

    private static Durability durability(Settings audit) {
        return AuditMode.of(audit).isRequired() ? Durability.EACH_GROUP : Durability.SOON;
    }

    /** Days are told here alone: no other span is that long. */
    private static Duration span(Settings keep) {
        var text = keep.text("for", "");
        if (text.matches("[1-9]\\d{0,4}d")) {
            return Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)));
        }
        if (text.matches("[1-9]\\d{0,6}h")) {
            return Duration.ofHours(Long.parseLong(text.substring(0, text.length() - 1)));
        }
        if (!text.isEmpty()) {
            keep.reject("for", "a time span such as 90d or 12h");
        }
        return Duration.ZERO;
    }

    private static void require(boolean holds, String key, Object value, String rule) {
        if (!holds) {
            throw ConfigurationException.of("'%s' is %s but must be %s".formatted(key, value, rule));
        }
    }

    private record Kept(Duration span, long size) {}
}
