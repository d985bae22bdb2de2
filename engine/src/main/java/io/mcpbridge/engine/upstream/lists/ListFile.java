package io.mcpbridge.engine.upstream.lists;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.PrivateFolder;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.RawJsonParts;
import io.mcpbridge.spi.Environment;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The file that keeps the last list of one server for the next run of the bridge. It counts only for the same section. A
 * file that cannot be used or written is logged and ignored. Any thread may use
 * it.
 */
final class ListFile<T> {
    private static final String SECTION = "section";

    private static final String ERA = "era";

    private final ListKind<T> kind;
    private final ServerSettings settings;
    private final Environment environment;
    private final Path folder;
    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();

    /** What the file contains, as far as this process knows. */
    @GuardedBy("lock")
    private String written = "";

    @GuardedBy("lock")
    private boolean hasWarned;

    private volatile Listed<T> latest = new Listed<>(List.of(), Era.LEGACY);

    private record Listed<T>(List<T> items, Era era) {}

    ListFile(ListKind<T> kind, ServerSettings settings, Environment environment, Path folder) {
        this.kind = kind;
        this.settings = settings;
        this.environment = environment;
        this.folder = folder;
        this.file = folder.resolve(settings.name() + ".json");
    }

    /** Reads the elements; none if there is no usable file. */
    List<T> read() {
        lock.lock();
        try {
            PrivateFile.check(file, "the file of listed " + kind, OwnUser.ofThisProcess());
            var limits = settings.listLimits();
            if (Files.size(file) > limits.bytes()) {
                return ignored(Level.WARNING, "is too large", "it has more than %,d bytes".formatted(limits.bytes()));
            }
            var text = Files.readString(file);
            var members = RawJsonParts.members(text);
            if (!members.getOrDefault(SECTION, "").equals(digest())) {
                return ignored(Level.INFO, "is outdated", "the section of the server has changed");
            }
            var era = members.getOrDefault(ERA, "").equals(quoted(Era.MODERN)) ? Era.MODERN : Era.LEGACY;
            var items = new ArrayList<T>();
            for (var raw : RawJsonParts.elements(members.getOrDefault(kind.member(), ""))) {
                items.add(kind.parse(raw, era));
            }
            if (items.size() > limits.items()) {
                return ignored(
                        Level.WARNING, "is too large", "it has more than %,d elements".formatted(limits.items()));
            }
            written = text;
            return items;
        } catch (NoSuchFileException first) {
            return List.of();
        } catch (IOException | BridgeException damaged) {
            return ignored(Level.WARNING, "is damaged", damaged);
        } finally {
            lock.unlock();
        }
    }

    /** Writes the elements, as a server of this era has listed them, on a worker and unless the file has them. */
    void write(List<T> items, Era era) {
        latest = new Listed<>(items, era);
        try {
            environment.workers().execute(this::writeLatest);
        } catch (RejectedExecutionException ending) {
            // The next run waits for the server, or corrects what it shows.
        }
    }

    private void writeLatest() {
        lock.lock();
        try {
            var listed = latest;
            var text = "{\"%s\":%s,\"%s\":%s,\"%s\":%s}\n"
                    .formatted(SECTION, digest(), ERA, quoted(listed.era), kind.member(), json(listed.items));
            if (!text.equals(written)) {
                put(text);
                written = text;
            }
        } catch (IOException | BridgeException unwritable) {
            if (!hasWarned) {
                log(Level.WARNING, "cannot be written, so the next start waits for the server", unwritable);
                hasWarned = true;
            }
        } finally {
            lock.unlock();
        }
    }

    private static String quoted(Era era) {
        return JsonStrings.quote(era.name().toLowerCase(Locale.ROOT));
    }

    private String json(List<T> items) {
        return items.stream().map(kind::json).collect(Collectors.joining(",", "[", "]"));
    }

    /** Several bridges may write the same file at once, so each has a draft of its own, which only its user can read. */
    private void put(String text) throws IOException {
        PrivateFolder.of(folder, "the folder of listed " + kind, OwnUser.ofThisProcess())
                .prepare();
        var draft = Files.createTempFile(folder, settings.name(), ".new");
        try {
            Files.writeString(draft, text);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private List<T> ignored(Level level, String state, Object why) {
        log(level, state + " and not used; the server replaces it", why);
        return List.of();
    }

    private void log(Level level, String what, Object why) {
        environment
                .logger()
                .log(
                        level,
                        "[mcp-bridge] the file '%s' with the last %s of server '%s' %s: %s"
                                .formatted(file, kind, settings.name(), what, why));
    }

    /** What decides the list. */
    private String digest() {
        return JsonStrings.quote(settings.type() + " " + settings.settings().digest());
    }
}
