package io.mcpbridge.sandbox.launch;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.ProcessLimits.KernelFolders;
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
 * Sandbox level L3 by bubblewrap, and L2 if {@code unshare} does not work: a process namespace and, if the limits say
 * so, no network and only named files.
 */
record BubblewrapWrapper(SystemTools tools, boolean isRoot, boolean isFirm) implements CommandWrapper {

    /** A wrapper for L2: the child keeps its rights. */
    static BubblewrapWrapper loose(SystemTools tools, boolean isRoot) {
        return new BubblewrapWrapper(tools, isRoot, false);
    }

    /** A wrapper for L3: the child has only the rights of its user, and no terminal. */
    static BubblewrapWrapper firm(SystemTools tools, boolean isRoot) {
        return new BubblewrapWrapper(tools, isRoot, true);
    }

    @Override
    public String name() {
        return "bwrap";
    }

    @Override
    public Optional<String> missing() {
        return tools.missing("bubblewrap", "bwrap").or(() -> tools.missing("util-linux", "setpriv", "prlimit", "sh"));
    }

    @Override
    public LaunchCommand wrap(LaunchCommand command) {
        var limits = command.limits();
        // Without '--no-new-privs': a set-user-id bwrap needs its rights at its start.
        var words = new ArrayList<>(List.of(tools.path("setpriv"), "--pdeathsig", "KILL", "--"));
        words.addAll(ParentCheck.outside(tools));
        // The shell inside is the first process, so it has requested its signal before it checks.
        words.addAll(List.of(tools.path("bwrap"), "--die-with-parent", "--unshare-pid", "--as-pid-1"));
        if (!isRoot) {
            // A set-user-id bwrap works without it, but then all processes of the user would count.
            words.add("--unshare-user");
        }
        if (isFirm) {
            words.addAll(List.of("--new-session", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"));
        }
        if (!isFirm && isRoot) {
            UnshareWrapper.UNCOVERING.forEach(right -> words.addAll(List.of("--cap-drop", "CAP_" + right)));
        }
        if (!limits.allowsNetwork()) {
            words.add("--unshare-net");
        }
        words.addAll(files(command, limits));
        words.add("--");
        words.addAll(ParentCheck.inside(tools));
        words.addAll(PrlimitCommand.wordsInNamespace(tools, limits, isRoot));
        words.addAll(DeferredVariables.words(tools, command));
        return DeferredVariables.of(command).guardedBy(words);
    }

    private List<String> files(LaunchCommand command, ProcessLimits limits) {
        if (limits.hidesFiles()) {
            return new VisibleFiles(command).words(tools);
        }
        return allFiles(limits);
    }

    private List<String> allFiles(ProcessLimits limits) {
        var words = new ArrayList<>(List.of("--dev-bind", "/", "/"));
        if (isFirm) {
            words.addAll(VisibleFiles.process());
            words.addAll(VisibleFiles.ownSharedMemory(limits));
        } else {
            words.addAll(List.of("--proc", "/proc"));
        }
        limits.hidden().forEach(path -> words.addAll(cover(path)));
        return words;
    }

    private static List<String> cover(Path path) {
        if (Files.isDirectory(path)) {
            return List.of("--size", "4096", "--tmpfs", path.toString(), "--remount-ro", path.toString());
        }
        return Files.exists(path) ? List.of("--ro-bind", "/dev/null", path.toString()) : List.of();
    }

    /**
     * The files of a child that sees only some: programs and libraries of the system, the paths that its limits name,
     * its own program, its working folder, and a {@code /tmp} of its own. It sees neither home folders nor users, nor
     * most of {@code /etc}.
     */
    private static final class VisibleFiles {
        private static final List<Path> SYSTEM = paths("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");
        private static final Path ETC = Path.of("/etc");
        private static final String SHARED_MEMORY = "/dev/shm";
        private static final String QUEUES = "/dev/mqueue";

        /** Settings that programs need for libraries, certificates and the time zone. */
        private static final Set<String> SETTINGS =
                Set.of("ld.so.cache", "ld.so.conf", "alternatives", "ca-certificates", "crypto-policies", "localtime");

        /**
         * Certificates and their settings, at the paths of several distributions. Their parent folders also contain
         * private keys.
         */
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

        private static final Set<String> NETWORK =
                Set.of("resolv.conf", "hosts", "nsswitch.conf", "gai.conf", "services");

        private static final List<String> SYSTEM_WIDE = List.of(
                "/proc/sysrq-trigger",
                "/proc/irq",
                "/proc/bus",
                "/proc/fs",
                "/proc/acpi",
                "/proc/scsi",
                "/proc/mtrr",
                "/proc/dynamic_debug");

        private final LaunchCommand command;
        private final List<String> words = new ArrayList<>();

        private VisibleFiles(LaunchCommand command) {
            this.command = command;
        }

        /**
         * The options of {@code bwrap}.
         *
         * @throws TransportException if a named path does not exist
         */
        private List<String> words(SystemTools tools) {
            SYSTEM.forEach(this::system);
            add("--ro-bind-try", Path.of("/nix/store"));
            etc().forEach(file -> add("--ro-bind-try", file));
            CERTIFICATES.forEach(file -> add("--ro-bind-try", file));
            words.addAll(List.of("--dev", "/dev"));
            words.addAll(memory(SHARED_MEMORY, command.limits()));
            words.addAll(List.of("--remount-ro", "/dev"));
            words.addAll(process());
            words.addAll(memory("/tmp", command.limits()));
            tools.find("prlimit").ifPresent(this::addFile);
            tools.find("sh").ifPresent(this::addFile);
            program().ifPresent(this::addFile);
            named().forEach((path, option) -> add(option, path));
            command.limits().hidden().stream()
                    .filter(path -> named().keySet().stream().anyMatch(path::startsWith))
                    .forEach(path -> words.addAll(cover(path)));
            // Last, since mount points are created in it; its files would use memory too.
            words.addAll(List.of("--remount-ro", "/"));
            return words;
        }

        /**
         * Mounts a {@code /proc} through which the child cannot change the system. By default {@code bwrap} lets root
         * write to {@code /proc/sys}, where capabilities do not count.
         */
        static List<String> process() {
            var words = new ArrayList<>(List.of("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"));
            for (var file : SYSTEM_WIDE) {
                words.addAll(List.of("--ro-bind-try", file, file));
            }
            return words;
        }

        /** Mounts separate shared memory and queues for a child that otherwise sees all files. */
        static List<String> ownSharedMemory(ProcessLimits limits) {
            var words = new ArrayList<String>();
            if (Files.isDirectory(Path.of(SHARED_MEMORY))) {
                words.addAll(memory(SHARED_MEMORY, limits));
            }
            if (Files.isDirectory(Path.of(QUEUES))) {
                words.addAll(List.of("--mqueue", QUEUES));
            }
            return words;
        }

        /** Mounts a folder in memory, which no limit of a process counts. */
        private static List<String> memory(String folder, ProcessLimits limits) {
            var most = limits.memoryBytes();
            return most > 0 ? List.of("--size", Long.toString(most), "--tmpfs", folder) : List.of("--tmpfs", folder);
        }

        /** Ordered with parents before their content, so that a part of a readable folder can be writable. */
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
                        "Cannot start '%s': its working folder '%s' is in '/proc', '/sys' or '/dev' or above them, but the child may see only some files; set 'cwd' to another one"
                                .formatted(command, folder));
            }
            return folder;
        }

        private Path required(Path path, String key) {
            if (!Files.exists(path)) {
                throw TransportException.initFailed(
                        "Cannot start '%s': its %s path '%s' does not exist; make it or correct '%s'"
                                .formatted(command, key, path, key));
            }
            return path;
        }

        /** Adds an entry of the root folder: a folder, or a link into {@code /usr}. */
        private void system(Path path) {
            try {
                if (Files.isSymbolicLink(path)) {
                    words.addAll(
                            List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString()));
                } else if (Files.isDirectory(path)) {
                    add("--ro-bind", path);
                }
            } catch (IOException gone) {
                // Then the child does not see it.
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
                // Programs may work without them.
            }
            return List.copyOf(found);
        }

        private boolean isNeeded(String name) {
            return SETTINGS.contains(name)
                    || name.startsWith("java")
                    || (command.limits().allowsNetwork() && NETWORK.contains(name));
        }

        /** Adds a file, unless a visible folder contains it. */
        private void addFile(Path file) {
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
                    : SystemTools.on(command.variables().getOrDefault("PATH", ""))
                            .find(command.program());
        }

        private void add(String option, Path path) {
            words.addAll(List.of(option, path.toString(), path.toString()));
        }

        private static List<Path> paths(String... texts) {
            return Arrays.stream(texts).map(Path::of).toList();
        }
    }
}
