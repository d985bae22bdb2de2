package io.mcpbridge.audit.file;

import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the segments that exceed the age or size limit: the oldest ended ones in a row, up to one with a checkpoint at
 * its end. Without that checkpoint the chain of the remaining segments has no verifiable beginning.
 */
record RetentionRule(FileAuditSettings settings) {

    /** Whether the settings limit age or size. */
    boolean isLimited() {
        return !settings.keepFor().isZero() || settings.keepSize() > 0;
    }

    /** The segments to remove now, the oldest first. */
    List<Segment> expired(Segment current, Instant now) throws IOException {
        var ended = Segment.in(settings.path()).stream()
                .filter(each -> each.first() < current.first())
                .toList();
        var excess = excess(ended, current);
        var expired = new ArrayList<Segment>();
        for (var each : ended) {
            var size = Files.size(each.file());
            if (!isOld(each, now) && excess <= 0) {
                break;
            }
            excess -= size;
            expired.add(each);
        }
        return withCheckpoint(expired, ended, current);
    }

    private long excess(List<Segment> ended, Segment current) throws IOException {
        if (settings.keepSize() == 0) {
            return 0;
        }
        var size = Files.exists(current.file()) ? Files.size(current.file()) : 0;
        for (var each : ended) {
            size += Files.size(each.file());
        }
        return size - settings.keepSize();
    }

    private boolean isOld(Segment segment, Instant now) throws IOException {
        var lastWritten = Files.getLastModifiedTime(segment.file()).toInstant();
        return !settings.keepFor().isZero() && lastWritten.isBefore(now.minus(settings.keepFor()));
    }

    private List<Segment> withCheckpoint(List<Segment> expired, List<Segment> ended, Segment current)
            throws IOException {
        var covered = expired.isEmpty() ? Set.<Long>of() : checkpointSizes();
        for (int i = expired.size(); i > 0; i--) {
            var next = i < ended.size() ? ended.get(i) : current;
            if (covered.contains(next.first() - 1)) {
                return List.copyOf(expired.subList(0, i));
            }
        }
        if (!expired.isEmpty()) {
            throw new IOException("no checkpoint covers the end of '%s' or of a segment before it"
                    .formatted(expired.get(expired.size() - 1).name()));
        }
        return List.of();
    }

    private Set<Long> checkpointSizes() throws IOException {
        var sizes = new HashSet<Long>();
        try (var reader = CheckpointReader.open(settings.path())) {
            for (var next = reader.nextReadable(); next.isPresent(); next = reader.nextReadable()) {
                sizes.add(next.get().size());
            }
            return sizes;
        }
    }
}
