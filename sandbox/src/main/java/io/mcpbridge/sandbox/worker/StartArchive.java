package io.mcpbridge.sandbox.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.sandbox.worker.internal.archive.ArchiveFolder;
import io.mcpbridge.sandbox.worker.internal.archive.ArchiveKey;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The archive that the workers of a pool start from: looked for when the first one starts, and made beside it where there is
 * none. Workers start without it all the same. Any thread may use it.
 */
final class StartArchive {
    private static final System.Logger LOGGER = System.getLogger(WorkerPool.class.getName());

    private final List<Path> classPath;
    private final List<String> jvmOptions;
    private final Map<String, String> variables;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicBoolean isMade = new AtomicBoolean();

    @GuardedBy("lock")
    private boolean isLookedFor;

    private volatile @Nullable ArchiveKey key;
    private volatile @Nullable ArchiveFolder folder;
    private volatile @Nullable Path ready;

    /** For workers with this class path and these options; {@code variables} say where archives are. */
    StartArchive(List<Path> classPath, List<String> jvmOptions, Map<String, String> variables) {
        this.classPath = classPath;
        this.jvmOptions = jvmOptions;
        this.variables = variables;
    }

    /** The archive, where there is one by now; on a thread that may wait. */
    Optional<Path> find() {
        lock.lock();
        try {
            if (!isLookedFor) {
                isLookedFor = true;
                ready = open();
            }
            return Optional.ofNullable(ready);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Path open() {
        try {
            var fits = ArchiveKey.of(classPath, jvmOptions).orElse(null);
            if (fits == null) {
                return null;
            }
            var opened = ArchiveFolder.open(variables);
            key = fits;
            folder = opened;
            return opened.find(fits).orElse(null);
        } catch (IOException unusable) {
            without(unusable);
            return null;
        }
    }

    /** Has the archive made if there is none but may be one; the first time only, on a thread that may wait for long. */
    void make(ArchiveFolder.Maker maker) {
        var place = folder;
        var fits = key;
        if (place == null || fits == null || ready != null || !isMade.compareAndSet(false, true)) {
            return;
        }
        try {
            ready = place.make(fits, maker).orElse(null);
        } catch (IOException unusable) {
            without(unusable);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void without(IOException why) {
        LOGGER.log(Level.DEBUG, "[mcp-bridge] workers start without an archive: {0}", why.getMessage());
    }
}
