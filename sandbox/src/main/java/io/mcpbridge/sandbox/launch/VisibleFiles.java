package io.mcpbridge.sandbox.launch;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.KernelFolders;
import io.mcpbridge.spi.Limits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files of a child that sees only some: programs and libraries of the system, what its limits name, its own program
 * and its working folder, a {@code /tmp} of its own. Neither homes nor users, nor most of {@code /etc}.
 */
final class VisibleFiles {
    private static final List<Path> SYSTEM = paths("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");
    private static final Path ETC = Path.of("/etc");
    private static final String SHARED_MEMORY = "/dev/shm";
    private static final String QUEUES = "/dev/mqueue";

    /** What programs need to find libraries, certificates and the time of day. */
    private static final Set<String> SETTINGS =
            Set.of("ld.so.cache", "ld.so.conf", "alternatives", "ca-certificates", "crypto-policies", "localtime");

    /** Certificates and how they are used, by the place that each system has for them; beside them lie private keys. */
    private static final List<Path> CERTIFICATES = paths(
            "/etc/ssl/certs",
            "/etc/ssl/cert.pem",
            "/etc/ssl/ca-bundle.pem",
            "/etc/ssl/openssl.cnf",
            "/etc/pki/ca-trust",
            "/etc/pki/java",
            "/etc/pki/tls/certs",
            "/etc/pki/tls/cert.pem",
            "/etc/pki/tls/openssl.cnf",
            "/etc/pki/tls/openssl.d");

    private static final Set<String> NETWORK = Set.of("resolv.conf", "hosts", "nsswitch.conf", "gai.conf", "services");

    private static final List<String> SYSTEM_WIDE = List.of(
            "/proc/sysrq-trigger",
            "/proc/irq",
            "/proc/bus",
            "/proc/fs",
            "/proc/acpi",
            "/proc/scsi",
            "/proc/mtrr",
            "/proc/dynamic_debug");

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
        CERTIFICATES.forEach(file -> add("--ro-bind-try", file));
        words.addAll(List.of("--dev", "/dev"));
        words.addAll(memory(SHARED_MEMORY, command.limits()));
        words.addAll(List.of("--remount-ro", "/dev"));
        words.addAll(process());
        words.addAll(memory("/tmp", command.limits()));
        tools.find("prlimit").ifPresent(this::ofUse);
        tools.find("sh").ifPresent(this::ofUse);
        program().ifPresent(this::ofUse);
        named().forEach((path, option) -> add(option, path));
        // Last, since all that is mounted needs a place to be made; it holds files in memory too.
        words.addAll(List.of("--remount-ro", "/"));
        return words;
    }

    /**
     * The processes of the child, by which nothing of the system can be changed. {@code bwrap} by itself leaves to root what
     * lies in {@code /proc/sys}: capabilities do not count there.
     */
    static List<String> process() {
        var words = new ArrayList<>(List.of("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"));
        for (var file : SYSTEM_WIDE) {
            words.addAll(List.of("--ro-bind-try", file, file));
        }
        return words;
    }

    /** Memory and queues that processes share by name, of its own; for a child that sees all files otherwise. */
    static List<String> apart(Limits limits) {
        var words = new ArrayList<String>();
        if (Files.isDirectory(Path.of(SHARED_MEMORY))) {
            words.addAll(memory(SHARED_MEMORY, limits));
        }
        if (Files.isDirectory(Path.of(QUEUES))) {
            words.addAll(List.of("--mqueue", QUEUES));
        }
        return words;
    }

    /** What lies there is memory, which no limit of a process counts. */
    private static List<String> memory(String folder, Limits limits) {
        var most = limits.memoryBytes();
        return most > 0 ? List.of("--size", Long.toString(most), "--tmpfs", folder) : List.of("--tmpfs", folder);
    }

    /** Parents before what lies in them, so that a part of what may be read can be changed. */
    private Map<Path, String> named() {
        var all = new TreeMap<Path, String>(
                Comparator.comparing(Path::getNameCount).thenComparing(Comparator.naturalOrder()));
        command.folder()
                .map(Path::toAbsolutePath)
                .map(Path::normalize)
                .ifPresent(folder -> all.put(ownFolder(folder), "--ro-bind"));
        command.limits().readable().forEach(path -> all.put(required(path, "readable"), "--ro-bind"));
        command.limits().writable().forEach(path -> all.put(required(path, "writable"), "--bind"));
        return all;
    }

    private Path ownFolder(Path folder) {
        if (KernelFolders.showThrough(folder)) {
            throw TransportException.initFailed(
                    "Cannot start '%s': its working folder '%s' is in '/proc', '/sys' or '/dev' or above them, and it is to see only some files; set 'cwd' to another one"
                            .formatted(command, folder));
        }
        return folder;
    }

    private Path required(Path path, String key) {
        if (!Files.exists(path)) {
            throw TransportException.initFailed(
                    "Cannot start '%s': its %s path '%s' is not there; make it or correct '%s'"
                            .formatted(command, key, path, key));
        }
        // A link may lead elsewhere than it did when the limits were read.
        if (KernelFolders.showThrough(path)) {
            throw TransportException.initFailed(
                    "Cannot start '%s': its %s path '%s' leads into '/proc', '/sys' or '/dev' or above them; correct '%s'"
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

    private Optional<Path> program() {
        var name = Path.of(command.program());
        return name.getNameCount() > 1
                ? command.folder()
                        .map(folder -> folder.resolve(name))
                        .or(() -> Optional.of(name))
                        .map(Path::toAbsolutePath)
                        .map(Path::normalize)
                : Tools.on(command.variables().getOrDefault("PATH", "")).find(command.program());
    }

    private void add(String option, Path path) {
        words.addAll(List.of(option, path.toString(), path.toString()));
    }

    private static List<Path> paths(String... texts) {
        return Arrays.stream(texts).map(Path::of).toList();
    }
}
