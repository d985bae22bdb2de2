package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.LaunchCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Sandbox level L2: a process namespace by {@code unshare}, in which some paths are hidden.
 *
 * @param isRoot whether the bridge runs as root, which needs no user namespace and keeps its rights without one
 */
record UnshareWrapper(SystemTools tools, boolean isRoot) implements CommandWrapper {
    /** The rights by which root could unmount, enter other processes, open files past mounts, or change the kernel. */
    static final List<String> UNCOVERING =
            List.of("SYS_ADMIN", "SYS_PTRACE", "DAC_READ_SEARCH", "MKNOD", "SYS_RAWIO", "SYS_MODULE");

    @Override
    public String name() {
        return "unshare";
    }

    @Override
    public Optional<String> missing() {
        return tools.missing("util-linux", "setpriv", "prlimit", "unshare", "mount", "sh");
    }

    @Override
    public LaunchCommand wrap(LaunchCommand command) {
        var words = new ArrayList<>(SetprivWrapper.words(tools));
        words.addAll(ParentCheck.outside(tools));
        words.add(tools.path("unshare"));
        if (!isRoot) {
            words.addAll(List.of("--user", "--map-root-user"));
        }
        words.addAll(List.of("--pid", "--fork", "--kill-child", "--mount-proc", "--propagation", "slave", "--"));
        words.addAll(HiddenPaths.words(tools, command.limits()));
        words.addAll(withoutMounting());
        words.addAll(ParentCheck.inside(tools));
        words.addAll(PrlimitCommand.wordsInNamespace(tools, command.limits(), isRoot));
        words.addAll(DeferredVariables.words(tools, command));
        return DeferredVariables.of(command).guardedBy(words);
    }

    /** The words after which no process of the child can uncover what is hidden. */
    private List<String> withoutMounting() {
        if (isRoot) {
            var removed = UNCOVERING.stream().map(right -> "-" + right.toLowerCase(Locale.ROOT));
            return List.of(tools.path("setpriv"), "--bounding-set", removed.collect(Collectors.joining(",")), "--");
        }
        // A namespace within has the user's own id, and no rights over the mounts of the outer one.
        var ids = HostSystem.ids();
        return List.of(tools.path("unshare"), "--user", "--map-user=" + ids.user(), "--map-group=" + ids.group(), "--");
    }
}
