package io.mcpbridge.engine.upstream.lists;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.PrivateFolder;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.RawJsonParts;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Secret;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * The file that keeps the last list of one server for the next run of the bridge. It counts only for a section that
 * names the same program or address. A file that cannot be used or written is logged and ignored. Any thread may use
 * it.
 */
final class ListFile<T> {
    private static final String SECTION = "section";

    /** The values that decide what a server lists. The others may be secrets, or do not matter. */
    private static final List<String> TEXTS = List.of("command", "cwd", "url", "path");

    private static final List<String> NAMED = List.of("env", "headers");

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

    private volatile List<T> latest = List.of();

    ListFile(ListKind<T> kind, ServerSettings settings, Environment environment, Path folder) {
        this.kind = kind;
        this.settings = settings;
        this.environment = environment;
        this.folder = folder;
        this.file = folder.resolve(settings.name() + ".json");
    }

    /** Reads the elements, for a server of which only the era is known; none if there is no usable file. */
    List<T> read(Era era) {
        lock.lock();
        try {
            PrivateFile.check(file, "the file of listed " + kind, OwnUser.ofThisProcess());
            if (Files.size(file) > settings.listLimits().bytes()) {
                return List.of();
            }
            var text = Files.readString(file);
            var members = RawJsonParts.members(text);
            if (!members.getOrDefault(SECTION, "").equals(digest())) {
                return List.of();
            }
            var items = new ArrayList<T>();
            for (var raw : RawJsonParts.elements(members.getOrDefault(kind.member(), ""))) {
                items.add(kind.parse(raw, era));
            }
            written = text;
            return items.size() > settings.listLimits().items() ? List.of() : items;
        } catch (NoSuchFileException first) {
            return List.of();
        } catch (IOException | BridgeException damaged) {
            log("is ignored", damaged);
            return List.of();
        } finally {
            lock.unlock();
        }
    }

    /** Writes the elements on a worker, unless the file has them. */
    void write(List<T> items) {
        latest = items;
        try {
            environment.workers().execute(this::writeLatest);
        } catch (RejectedExecutionException ending) {
            // The next run waits for the server, or corrects what it shows.
        }
    }

    private void writeLatest() {
        lock.lock();
        try {
            var text = "{\"%s\":%s,\"%s\":%s}\n".formatted(SECTION, digest(), kind.member(), json(latest));
            if (!text.equals(written)) {
                put(text);
                written = text;
            }
        } catch (IOException | BridgeException unwritable) {
            if (!hasWarned) {
                log("cannot be written", unwritable);
                hasWarned = true;
            }
        } finally {
            lock.unlock();
        }
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

    private void log(String what, Exception why) {
        environment
                .logger()
                .log(
                        Level.WARNING,
                        "[mcp-bridge] the file '%s' with the last %s of server '%s' %s: %s"
                                .formatted(file, kind, settings.name(), what, why.getMessage()));
    }

    /** A digest of what decides the list, without known secrets and without the values of variables and headers. */
    private String digest() {
        // A copy, since the transport reads the section itself.
        var section = settings.settings().with(Map.of());
        var parts = new ArrayList<String>();
        parts.add(settings.type());
        TEXTS.forEach(key -> section.text(key).ifPresent(text -> parts.add(key + "=" + Secret.hiddenIn(text))));
        section.texts("args").forEach(text -> parts.add("args=" + Secret.hiddenIn(text)));
        NAMED.stream()
                .filter(section::isSection)
                .forEach(key ->
                        section.section(key).keys().stream().sorted().forEach(name -> parts.add(key + "." + name)));
        var text = String.join("\n", parts);
        for (var secret : environment.secrets().texts()) {
            text = text.replace(secret, "***");
        }
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return '"' + HexFormat.of().formatHex(hash) + '"';
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
