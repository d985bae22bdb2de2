package io.mcpbridge.audit.file;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.UserFolders;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The settings of a trail in a folder.
 *
 * @param path the folder of the segments
 * @param durability when the completion of a record succeeds
 * @param segmentSize the size in bytes at which a segment ends; the last group of records may exceed it
 * @param keepFor the age at which ended segments are removed; zero for no limit
 * @param keepSize the size of the trail at which the oldest segments are removed; zero for no limit
 * @param key the file of the private key that signs checkpoints
 * @param syncEvery the longest time to the sync of records that are not synced with their group
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

    /** When the completion of a record succeeds. */
    public enum Durability {
        /** When the group of the record is on the device. */
        EACH_GROUP,
        /** When the operating system has the record; it is synced within {@code syncEvery}. */
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
                "outside of the folder of the trail, '" + path
                        + "': with the key, a copy of the folder could be signed anew");
    }

    /** The default settings for a trail in this folder; its key is beside the folder. */
    public static FileAuditSettings in(Path path) {
        return new FileAuditSettings(
                path, Durability.SOON, USUAL_SEGMENT, Duration.ZERO, 0, beside(path, ".key"), USUAL_SYNC);
    }

    /**
     * Reads the {@code audit} section after all other readers of its keys.
     *
     * @param variables the environment variables; {@code XDG_STATE_HOME} or {@code HOME} has the base of the default
     *     path
     * @throws ConfigurationException with all mistakes that were noted in the section
     */
    public static FileAuditSettings from(Settings audit, Map<String, String> variables) {
        audit.ignore("sink");
        var usual = in(path(audit, variables));
        var keep = audit.section("keep");
        var kept = new Kept(span(keep), keep.size("size", 0));
        audit.noting(() -> keep.finish(() -> kept), kept);
        var durability = AuditMode.of(audit).isRequired() ? Durability.EACH_GROUP : Durability.SOON;
        var segmentSize = audit.size("segment-size", usual.segmentSize());
        var key = path(audit, "key", usual.key(), variables);
        var syncEvery = audit.duration("sync-every", usual.syncEvery());
        return audit.finish(() ->
                new FileAuditSettings(usual.path(), durability, segmentSize, kept.span(), kept.size(), key, syncEvery));
    }

    /** The folder of the trail in an {@code audit} section. */
    public static Path path(Settings audit, Map<String, String> variables) {
        return path(audit, "path", defaultPath(variables), variables);
    }

    private static Path path(Settings audit, String key, Path defaultPath, Map<String, String> variables) {
        var text = audit.text(key);
        if (text.filter(String::isEmpty).isPresent()) {
            audit.reject(key, "a path; leave it out for the usual one");
            return defaultPath;
        }
        return text.map(path -> audit.noting(() -> UserFolders.resolve(path, variables), defaultPath))
                .orElse(defaultPath);
    }

    private static Path defaultPath(Map<String, String> variables) {
        return UserFolders.state(variables).resolve("audit");
    }

    /** The file of the public half of the key. */
    public Path publicKey() {
        return SigningKey.publicFile(key);
    }

    /** The default file of the key that hashes redacted values. */
    static Path redactionKey(Path path) {
        return beside(path, "-redaction.key");
    }

    /**
     * Requires that the redaction key is neither in the folder of the trail nor the signing key.
     *
     * @throws ConfigurationException that says which of the two it is
     */
    void requireApart(Path redactionKey) {
        require(
                !whole(redactionKey).startsWith(whole(path)),
                "redact.key",
                "'" + redactionKey + "'",
                "outside of the folder of the trail, '" + path + "': with the key, hidden values could be guessed");
        if (whole(redactionKey).equals(whole(key))) {
            throw ConfigurationException.of(
                    "'key' and 'redact.key' both name '%s', but must be two files: one signs checkpoints, the other hides values"
                            .formatted(redactionKey));
        }
    }

    private static Path whole(Path path) {
        return path.toAbsolutePath().normalize();
    }

    private static Path beside(Path path, String ending) {
        var folder = path.toAbsolutePath().normalize();
        var name = folder.getFileName() == null ? "audit" : folder.getFileName().toString();
        return folder.resolveSibling(name + ending);
    }

    /** Reads {@code keep.for}, the only time span that may be in days. */
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
