package io.mcpbridge.catalog.lock;

import static io.mcpbridge.message.CanonicalJson.EXACT;
import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.CanonicalJson;
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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the file of {@link Pins}: indented JSON in canonical order, so that line diffs are small. Each
 * definition has its hash, which detects mistakes of editing and merging.
 */
record LockFile(Path path) {
    private static final BigInteger VERSION = BigInteger.ONE;
    private static final String LOCK_VERSION = "lockVersion";
    private static final String SERVERS = "servers";
    private static final String HASH = "sha256";
    private static final String DEFINITION = "definition";
    private static final long MAX_BYTES = 64L << 20;

    /**
     * Reads the file; empty if there is none.
     *
     * @throws ConfigurationException if it cannot be read, or a definition does not match its hash
     */
    Optional<Pins> read() {
        try {
            if (Files.size(path) > MAX_BYTES) {
                throw wrong("is longer than %d bytes".formatted(MAX_BYTES));
            }
            var text = Files.readString(path);
            if (text.isBlank()) {
                throw wrong("is empty; restore it, or remove it and write a new one with 'mcp-bridge lock'");
            }
            return Optional.of(pins(Pin.parse(text)));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw wrong("cannot be read: " + unreadable);
        } catch (ProtocolException notJson) {
            throw wrong(
                    "is not a JSON object: " + VisibleText.of(notJson.failure().message()));
        }
    }

    /**
     * Replaces the file atomically.
     *
     * @throws ConfigurationException if the file cannot be written
     */
    void write(Pins pins) {
        var target = target();
        try {
            put(target, text(pins));
        } catch (IOException unwritable) {
            throw wrong("cannot be written: " + unwritable);
        }
    }

    private static String text(Pins pins) {
        var servers = new LinkedHashMap<String, String>();
        pins.servers().forEach((server, tools) -> {
            var entries = new LinkedHashMap<String, String>();
            tools.forEach((tool, pin) -> entries.put(tool, entry(pin)));
            servers.put(server, object(2, entries));
        });
        var document = new LinkedHashMap<String, String>();
        document.put(LOCK_VERSION, VERSION.toString());
        document.put(SERVERS, object(1, servers));
        return object(0, document) + "\n";
    }

    private static String entry(Pin pin) {
        var members = new LinkedHashMap<String, String>();
        members.put(HASH, EXACT.write(pin.hash()));
        members.put(DEFINITION, EXACT.writeIndented(pin.definition()).replace("\n", lineAt(4)));
        return object(3, members);
    }

    /** An object of raw values in this order, indented like {@link CanonicalJson#writeIndented} does. */
    private static String object(int depth, Map<String, String> members) {
        return members.isEmpty()
                ? "{ }"
                : members.entrySet().stream()
                        .map(each -> lineAt(depth + 1) + EXACT.write(each.getKey()) + " : " + each.getValue())
                        .collect(joining(",", "{", lineAt(depth) + "}"));
    }

    private static String lineAt(int depth) {
        return "\n" + "  ".repeat(depth);
    }

    /** Creates the draft, so that it follows no link, and moves it when its bytes are on the device. */
    private static void put(Path target, String text) throws IOException {
        var draft = target.resolveSibling(target.getFileName() + ".new");
        Files.deleteIfExists(draft);
        try (var channel = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            keepPermissions(target, draft);
            var bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void keepPermissions(Path target, Path draft) throws IOException {
        var posix = Files.getFileAttributeView(draft, PosixFileAttributeView.class);
        if (posix != null && Files.exists(target)) {
            posix.setPermissions(Files.getPosixFilePermissions(target));
        }
    }

    /** The target of a link, so that the link itself stays. */
    private Path target() {
        try {
            return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? path.toRealPath() : path.toAbsolutePath();
        } catch (IOException dangling) {
            throw wrong("cannot be written: " + dangling);
        }
    }

    private Pins pins(Map<String, @Nullable Object> root) {
        if (!VERSION.equals(root.get(LOCK_VERSION))) {
            throw wrong("has the 'lockVersion' %s but must have %s"
                    .formatted(EXACT.write(root.get(LOCK_VERSION)), VERSION));
        }
        var servers = new TreeMap<String, Map<String, Pin>>();
        object(root.get(SERVERS), "'servers'").forEach((server, section) -> {
            var pins = new TreeMap<String, Pin>();
            object(section, "'%s'".formatted(server))
                    .forEach((tool, entry) -> pins.put(
                            String.valueOf(tool), pin("the tool '%s' of server '%s'".formatted(tool, server), entry)));
            servers.put(String.valueOf(server), pins);
        });
        return new Pins(servers);
    }

    private Pin pin(String what, @Nullable Object entry) {
        var members = object(entry, what);
        var pin = Pin.of(object(members.get(DEFINITION), "the definition of " + what));
        if (!pin.hash().equals(members.get(HASH))) {
            throw wrong(("has %s with the hash %s, but its definition has %s; restore the file, or remove the entry and"
                            + " approve the tool again")
                    .formatted(what, EXACT.write(members.get(HASH)), pin.hash()));
        }
        return pin;
    }

    private Map<?, ?> object(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> members) {
            return members;
        }
        throw wrong("has %s for %s, which must be an object".formatted(EXACT.write(value), VisibleText.of(what)));
    }

    private ConfigurationException wrong(String why) {
        return ConfigurationException.of("the lock file '%s' %s".formatted(path, why));
    }

    /**
     * The approved definitions. Immutable.
     *
     * @param servers by the name of the server, then by the name of the tool; sorted
     */
    record Pins(Map<String, Map<String, Pin>> servers) {
        static final Pins EMPTY = new Pins(Map.of());

        Pins {
            var sorted = new TreeMap<String, Map<String, Pin>>();
            servers.forEach((server, tools) -> sorted.put(server, Collections.unmodifiableMap(new TreeMap<>(tools))));
            servers = Collections.unmodifiableMap(sorted);
        }

        /** The pins of a server. */
        Map<String, Pin> of(String server) {
            return servers.getOrDefault(server, Map.of());
        }

        /** The same with these pins of a server. */
        Pins with(String server, Map<String, Pin> tools) {
            var changed = new TreeMap<>(servers);
            changed.put(server, tools);
            return new Pins(changed);
        }
    }
}
