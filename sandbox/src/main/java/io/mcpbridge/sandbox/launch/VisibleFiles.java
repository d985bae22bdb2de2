package io.mcpbridge.sandbox.launch;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Command;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files of a child that sees only some: programs and libraries of the system, what its limits name, its own program
 * and its working folder, a {@code /tmp} of its own. Neither homes nor users, nor most of {@code /etc}.
 */
final class VisibleFiles {
    private static final List<Path> SYSTEM = paths("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");
    private static final Path ETC = Path.of("/etc");

    /** What programs need to find libraries, certificates and the time of day. */
    private static final Set<String> SETTINGS = Set.of(
            "ld.so.cache",
            "ld.so.conf",
            "alternatives",
            "ssl",
            "pki",
            "ca-certificates",
            "crypto-policies",
            "localtime");

    private static final Set<String> NETWORK = Set.of("resolv.conf", "hosts", "nsswitch.conf", "gai.conf", "services");

    private final Command command;
    private final List<String> words = new ArrayList<>();

    private VisibleFiles(Command command) {
        this.command = command;
    }

    /**
     * The options of {@code bwrap}.
     *
     * @throws TransportException if a path that is named is not there
     */
    static List<String> words(Command command, Tools tools) {
        return new VisibleFiles(command).collect(tools);
    }

    private List<String> collect(Tools tools) {
        SYSTEM.forEach(this::system);
        add("--ro-bind-try", Path.of("/nix/store"));
        etc().forEach(file -> add("--ro-bind-try", file));
        words.addAll(List.of("--dev", "/dev", "--proc", "/proc"));
        temporary();
        tools.find("prlimit").ifPresent(this::ofUse);
        program().ifPresent(this::ofUse);
        named().forEach((path, option) -> add(option, path));
        return words;
    }

    /** What lies there is memory, which no other limit counts. */
    private void temporary() {
        var most = command.limits().memoryBytes();
        if (most > 0) {
            words.addAll(List.of("--size", Long.toString(most)));
        }
        words.addAll(List.of("--tmpfs", "/tmp"));
    }

    /** Parents before what lies in them, so that a part of what may be read can be changed. */
    private Map<Path, String> named() {
        var all = new TreeMap<Path, String>(
                Comparator.comparing(Path::getNameCount).thenComparing(Comparator.naturalOrder()));
        command.folder()
                .map(Path::toAbsolutePath)
                .map(Path::normalize)
                .ifPresent(folder -> all.put(folder, "--ro-bind"));
        command.limits().readable().forEach(path -> all.put(required(path, "readable"), "--ro-bind"));
        command.limits().writable().forEach(path -> all.put(required(path, "writable"), "--bind"));
        return all;
    }

    private Path required(Path path, String key) {
        if (!Files.exists(path)) {
            throw TransportException.initFailed(
                    "Cannot start '%s': its %s path '%s' is not there; make it or correct '%s'"
                            .formatted(command, key, path, key));
        }
        return path;
    }

    /** What stands in the root folder, be it a folder of its own or a link into {@code /usr}. */
    private void system(Path path) {
        try {
            if (Files.isSymbolicLink(path)) {
                words.addAll(List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
            } else if (Files.isDirectory(path)) {
                add("--ro-bind", path);
            }
        } catch (IOException gone) {
            // Then it is not seen.
        }
    }

    private List<Path> etc() {
        var found = new LinkedHashSet<Path>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(ETC)) {
            for (var file : files) {
                if (isNeeded(String.valueOf(file.getFileName()))) {
                    found.add(file);
                }
            }
        } catch (IOException unreadable) {
            // Programs may do without.
        }
        return List.copyOf(found);
    }

    private boolean isNeeded(String name) {
        return SETTINGS.contains(name)
                || name.startsWith("java")
                || (command.limits().allowsNetwork() && NETWORK.contains(name));
    }

    /** A file outside of what is seen anyway. */
    private void ofUse(Path file) {
        if (SYSTEM.stream().noneMatch(file::startsWith)) {
            add("--ro-bind-try", file);
        }
    }

    private java.util.Optional<Path> program() {
        var name = Path.of(command.program());
        return name.getNameCount() > 1
                ? command.folder()
                        .map(folder -> folder.resolve(name))
                        .or(() -> java.util.Optional.of(name))
                        .map(Path::toAbsolutePath)
                        .map(Path::normalize)
                : Tools.on(command.variables().getOrDefault("PATH", "")).find(command.program());
    }

    private void add(String option, Path path) {
        words.addAll(List.of(option, path.toString(), path.toString()));
    }

    private static List<Path> paths(String... texts) {
        return java.util.Arrays.stream(texts).map(Path::of).toList();
    }
}
