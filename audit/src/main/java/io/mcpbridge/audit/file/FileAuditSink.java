package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.ProcessLock;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps records in a folder of segments. Any thread may use it, and none of them waits: one writer thread takes what is
 * there in groups, writes each at once and tells the completions.
 *
 * <p>Each record carries a hash that holds it to the one before, and signed checkpoints vouch for the chain, so that
 * {@link io.mcpbridge.audit.verify.AuditVerifier} finds what was changed or taken away.
 */
public final class FileAuditSink implements AuditSink {
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(30);

    private final FileAuditSettings settings;
    private final Environment environment;
    private final RecordQueue queue;
    private final Losses losses;
    private final Troubles troubles;
    private final TrailWriter writer;
    private final Thread thread;

    /** One for all, since there may be very many. */
    private final CallException full;

    private final ProcessLock lock;
    private volatile boolean closed;

    private FileAuditSink(WriterParts parts, Environment environment, RecordQueue queue, Upkeep upkeep) {
        this.settings = parts.settings();
        this.environment = environment;
        this.queue = queue;
        this.losses = new Losses();
        this.troubles = parts.troubles();
        this.writer = new TrailWriter(queue, losses, upkeep, parts);
        this.lock = parts.lock();
        this.full = TrailWriter.unavailable(
                "the audit queue is full: %d records or %d MB wait; the disk of '%s' is too slow"
                        .formatted(RecordQueue.MAX_EVENTS, RecordQueue.MAX_BYTES >> 20, settings.path()));
        this.thread = new Thread(writer, "mcp-bridge-audit");
        this.thread.setDaemon(true);
    }

    /**
     * Takes up the trail in the folder, or begins one.
     *
     * @throws ConfigurationException if the folder or the key cannot be used
     */
    public static FileAuditSink open(FileAuditSettings settings, AuditRecords records, Environment environment) {
        return open(settings, records, environment, Disk.ofTheSystem());
    }

    /**
     * Checks the folder, or where it would be made.
     *
     * @throws ConfigurationException if a trail cannot be kept there
     */
    static void check(Path path) {
        try {
            TrailFolder.check(path);
        } catch (IOException failed) {
            throw unusable(path, failed);
        }
    }

    static FileAuditSink open(FileAuditSettings settings, AuditRecords records, Environment environment, Disk disk) {
        try {
            requireNothingWrong(settings);
            var missing = Vouching.missing(settings);
            var folder = TrailFolder.prepare(settings.path());
            var lock = folder.claim();
            try {
                var key = SigningKeyFiles.readOrMake(settings.key(), disk, folder.own());
                var troubles = new Troubles(settings.path(), environment.logger(), environment.timekeeper());
                var parts = new WriterParts(
                        settings, disk, lock, records, key, environment.timekeeper(), environment.logger(), troubles);
                return begin(parts, new Beginning(parts, folder.tighten(), missing), environment);
            } catch (IOException | RuntimeException | Error failed) {
                lock.close();
                throw failed;
            }
        } catch (IOException failed) {
            throw unusable(settings.path(), failed);
        }
    }

    /** Before anything is made: a start that is refused leaves nothing behind. */
    private static void requireNothingWrong(FileAuditSettings settings) throws IOException {
        TrailFolder.check(settings.path());
        Vouching.requireKey(settings);
        SigningKeyFiles.check(settings.key(), OwnUser.ofThisProcess());
    }

    private static ConfigurationException unusable(Path path, IOException why) {
        return ConfigurationException.of(
                "the audit trail cannot be kept in '%s': %s; mend that or choose another 'path'".formatted(path, why));
    }

    private static FileAuditSink begin(WriterParts parts, Beginning beginning, Environment environment)
            throws IOException {
        var queue = new RecordQueue();
        var sink = new FileAuditSink(parts, environment, queue, beginning.begin(queue::poke));
        sink.thread.start();
        return sink;
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        take(Pending.of(event, environment.timekeeper().now(), durable));
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        take(Pending.of(event, environment.timekeeper().now(), durable));
    }

    @Override
    public void denied(ToolDenied event) {
        take(Pending.of(event, environment.timekeeper().now()));
    }

    @Override
    public void note(AuditNote note) {
        take(Pending.of(note, environment.timekeeper().now()));
    }

    private void take(Pending event) {
        if (closed) {
            writer.refuse(event, "the audit trail is closed");
        } else if (!queue.offer(event)) {
            writer.refuse(event, full);
        } else if (writer.hasEnded() && queue.withdraw(event)) {
            writer.refuse(event, "the audit trail is closed");
        }
    }

    @Override
    public Durability durability() {
        return settings.durability() == FileAuditSettings.Durability.EACH_GROUP
                ? Durability.DEVICE
                : Durability.PROCESS;
    }

    @Override
    public Optional<String> trouble() {
        return troubles.words();
    }

    @Override
    public boolean isStopped() {
        return troubles.stopsRecords();
    }

    @Override
    public List<Reading> readings() {
        return List.of(
                new Reading("audit.queue", queue.size(), "of " + RecordQueue.MAX_EVENTS),
                new Reading("audit.group", writer.meanGroup(), "records written at once, on average"),
                new Reading("audit.lost", losses.total(), "records that are not in the trail"));
    }

    @Override
    public void close() {
        closed = true;
        writer.stop();
        try {
            thread.join(LONGEST_CLOSE.toMillis());
            if (!thread.isAlive()) {
                lock.close();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
