package io.mcpbridge.catalog.lock;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The file of a {@link Lock}: JSON that reads well in a comparison of two versions, with one order. Each definition
 * stands there with its hash, so that a slip of a hand or of a merge is found.
 */
final class LockFile {
    private static final BigInteger VERSION = BigInteger.ONE;
    private static final String HASH = "sha256";
    private static final String DEFINITION = "definition";
    private static final long MOST_BYTES = 64L << 20;

    private final Path path;

    LockFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /**
     * Reads the file; empty if there is none.
     *
     * @throws ConfigurationException if it cannot be read or was changed otherwise than by approving
     */
    Optional<Lock> read() {
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw wrong("is longer than %d bytes".formatted(MOST_BYTES));
            }
            var text = Files.readString(path);
            if (text.isBlank()) {
                throw wrong("is empty; put back what was there, or remove it and write it anew with 'mcp-bridge lock'");
            }
            return Optional.of(lock(CanonicalJson.read(text)));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw wrong("cannot be read: " + unreadable);
        } catch (JacksonException notJson) {
            throw wrong("is not JSON: " + notJson.getOriginalMessage());
        }
    }

    /**
     * Puts another lock in the place of what is there, at once.
     *
     * @throws ConfigurationException if the file cannot be written
     */
    void write(Lock lock) {
        var servers = new LinkedHashMap<String, Object>();
        lock.servers().forEach((server, tools) -> servers.put(server, section(tools)));
        var document = new LinkedHashMap<String, Object>();
        document.put("lockVersion", VERSION);
        document.put("servers", servers);
        var target = target();
        try {
            put(target, CanonicalJson.writeIndented(document));
        } catch (IOException unwritable) {
            throw wrong("cannot be written: " + unwritable);
        }
    }

    /** Makes the draft anew, so that it follows no link that lies there, and moves it once it is on the device. */
    private static void put(Path target, String text) throws IOException {
        var draft = target.resolveSibling(target.getFileName() + ".new");
        Files.deleteIfExists(draft);
        try (var channel = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            keepRights(target, draft);
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void keepRights(Path target, Path draft) throws IOException {
        var posix = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (posix != null && Files.exists(target)) {
            posix.setPermissions(Files.getPosixFilePermissions(target));
        }
    }

    /** Where a link leads, so that the link itself stays. */
    private Path target() {
        try {
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? path.toRealPath() : path.toAbsolutePath();
        } catch (IOException dangling) {
            throw wrong("cannot be written: " + dangling);
        }
    }

    private static Map<String, Object> section(Map<String, Pin> tools) {
        var section = new LinkedHashMap<String, Object>();
        tools.forEach((name, pin) -> {
            var entry = new LinkedHashMap<String, Object>();
            entry.put(HASH, pin.hash());
            entry.put(DEFINITION, pin.definition());
            section.put(name, entry);
        });
        return section;
    }

    private Lock lock(@Nullable Object document) {
        var root = object(document, "the document");
        if (!VERSION.equals(root.get("lockVersion"))) {
            throw wrong("has the 'lockVersion' %s but must have %s"
                    .formatted(CanonicalJson.write(root.get("lockVersion")), VERSION));
        }
        var servers = new TreeMap<String, Map<String, Pin>>();
        object(root.get("servers"), "'servers'").forEach((server, section) -> {
            var pins = new TreeMap<String, Pin>();
            object(section, "'%s'".formatted(server))
                    .forEach((tool, entry) -> pins.put(
                            String.valueOf(tool), pin("the tool '%s' of server '%s'".formatted(tool, server), entry)));
            servers.put(String.valueOf(server), pins);
        });
        return new Lock(servers);
    }

    private Pin pin(String what, @Nullable Object entry) {
        var members = object(entry, what);
        var pin = Pin.of(object(members.get(DEFINITION), "the definition of " + what));
        if (!pin.hash().equals(members.get(HASH))) {
            throw wrong(("holds %s with the hash %s, but its definition has %s; take the file as it was committed, or"
                            + " remove the entry and approve the tool anew")
                    .formatted(what, CanonicalJson.write(members.get(HASH)), pin.hash()));
        }
        return pin;
    }

    private Map<?, ?> object(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> members) {
            return members;
        }
        throw wrong("holds %s for %s, but an object must stand there"
                .formatted(CanonicalJson.write(value), Hidden.escaped(what)));
    }

    private ConfigurationException wrong(String why) {
        return ConfigurationException.of("the lock file '%s' %s".formatted(path, why));
    }
}
