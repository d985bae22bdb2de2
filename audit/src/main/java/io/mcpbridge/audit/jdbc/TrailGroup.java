package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.internal.Backlog;
import io.mcpbridge.audit.internal.Losses;
import io.mcpbridge.audit.internal.Waiting;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordBody;
import java.util.ArrayList;
import java.util.List;

/** Records that are written together. For one thread. */
final class TrailGroup {
    private final List<Entry> entries;

    /** One record, with those who wait for it. */
    private record Entry(Waiting waiting, RecordBody body) {}

    private TrailGroup(List<Entry> entries) {
        this.entries = entries;
    }

    /** A group of nothing. */
    TrailGroup() {
        this(new ArrayList<>());
    }

    /** Makes the record of what waits, and takes it in. */
    void add(Waiting waiting, AuditRecords records) {
        entries.add(new Entry(waiting, waiting.body(records)));
    }

    int size() {
        return entries.size();
    }

    /** Each record as a group of its own; this one is empty then. */
    List<TrailGroup> split() {
        var singles = entries.stream()
                .map(each -> new TrailGroup(new ArrayList<>(List.of(each))))
                .toList();
        entries.clear();
        return singles;
    }

    List<RecordBody> bodies() {
        return entries.stream().map(Entry::body).toList();
    }

    void succeed(System.Logger logger) {
        entries.forEach(each -> each.waiting().succeed(logger));
        entries.clear();
    }

    /** Gives all of them up. */
    Losses fail(String why, System.Logger logger) {
        var losses = new Losses();
        for (var each : entries) {
            losses.add(each.waiting().kind());
            each.waiting().fail(Backlog.unavailable("The audit record is not kept: " + why), logger);
        }
        entries.clear();
        return losses;
    }
}
