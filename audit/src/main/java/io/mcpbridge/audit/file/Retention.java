package io.mcpbridge.audit.file;

import io.mcpbridge.audit.verify.CheckpointReader;
import io.mcpbridge.audit.verify.Segment;
import io.mcpbridge.audit.verify.SignedCheckpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Tells which segments are too old or too many. Only the oldest sealed ones in a row are, up to one at whose end there is
 * no checkpoint: without it nobody could tell what the rest is chained to.
 */
final class Retention {
    private final Path folder;
    private final FileAuditSettings settings;

    Retention(FileAuditSettings settings) {
        this.folder = settings.path();
        this.settings = settings;
    }

    /** Whether anything is ever removed. */
    boolean isWanted() {
        return !settings.keepFor().isZero() || settings.keepSize() > 0;
    }

    /** The segments to remove at this moment, the oldest first. */
    List<Segment> outlived(Segment current, Instant now) throws IOException {
        var sealed = Segment.in(folder).stream()
                .filter(each -> each.first() < current.first())
                .toList();
        var excess = excess(sealed, current);
        var outlived = new ArrayList<Segment>();
        for (var each : sealed) {
            var size = Files.size(each.file());
            if (!isOld(each, now) && excess <= 0) {
                break;
            }
            excess -= size;
            outlived.add(each);
        }
        return vouchedFor(outlived, sealed, current);
    }

    private long excess(List<Segment> sealed, Segment current) throws IOException {
        if (settings.keepSize() == 0) {
            return 0;
        }
        var size = Files.exists(current.file()) ? Files.size(current.file()) : 0;
        for (var each : sealed) {
            size += Files.size(each.file());
        }
        return size - settings.keepSize();
    }

    private boolean isOld(Segment segment, Instant now) throws IOException {
        var lastWritten = Files.getLastModifiedTime(segment.file()).toInstant();
        return !settings.keepFor().isZero() && lastWritten.isBefore(now.minus(settings.keepFor()));
    }

    private List<Segment> vouchedFor(List<Segment> outlived, List<Segment> sealed, Segment current) throws IOException {
        var vouched = outlived.isEmpty() ? Set.<Long>of() : checkpointSizes();
        for (int i = outlived.size(); i > 0; i--) {
            var next = i < sealed.size() ? sealed.get(i) : current;
            if (vouched.contains(next.first() - 1)) {
                return List.copyOf(outlived.subList(0, i));
            }
        }
        if (!outlived.isEmpty()) {
            throw new IOException("no checkpoint vouches for the end of '%s' or of one before it"
                    .formatted(outlived.get(outlived.size() - 1).name()));
        }
        return List.of();
    }

    private Set<Long> checkpointSizes() throws IOException {
        var sizes = new HashSet<Long>();
        try (var reader = CheckpointReader.open(folder)) {
            for (var next = next(reader); next.isPresent(); next = next(reader)) {
                sizes.add(next.get().checkpoint().size());
            }
            return sizes;
        }
    }

    /** Damage in their file is for the verifier to tell, and does not end the removal. */
    private static Optional<SignedCheckpoint> next(CheckpointReader reader) throws IOException {
        while (true) {
            try {
                return reader.next();
            } catch (IllegalArgumentException damaged) {
                // The next call passes over it.
            }
        }
    }
}
