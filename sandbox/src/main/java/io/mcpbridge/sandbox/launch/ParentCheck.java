package io.mcpbridge.sandbox.launch;

import java.util.List;

/**
 * Builds shell commands that check whether the bridge, their parent, still runs.
 *
 * <p>The kernel kills a process whose parent ends only after the process has requested that signal. A process that
 * starts just before the bridge is killed requests it too late, so it checks the parent afterwards.
 */
final class ParentCheck {
    /** The exit code of a killed process. */
    private static final String END = "exit 137";

    private static final String LOOK = "[ \"$PPID\" = %d ] || " + END + "; exec \"$@\"";

    /** The file keeps describing this process after it has become another program. */
    private static final String HOLD = "exec 3</proc/$$/stat; exec \"$@\"";

    /** The bridge is not visible within the namespace, but the file that was opened outside can be read. */
    private static final String LOOK_OUT = "read -r pid name state parent rest <&3 || " + END
            + "; case $state$parent in [!ZX]%d) ;; *) " + END + " ;; esac; exec 3<&-; ";

    /** The shell's own message about a killed child is suppressed. */
    private static final String WAIT = "exec 3>&2 2>/dev/null; \"$@\" 2>&3 3>&-; exit $?";

    private ParentCheck() {}

    /** The words that execute the following ones if the bridge is the parent. */
    static List<String> words(SystemTools tools) {
        return tools.shell(LOOK.formatted(us()), "mcp-bridge-guard");
    }

    /** The words that execute the following ones, which create a namespace. */
    static List<String> outside(SystemTools tools) {
        return tools.shell(HOLD, "mcp-bridge-guard");
    }

    /**
     * The words for the first process of a namespace, after {@link #outside}. It continues if the process that created
     * the namespace is alive and is a child of the bridge. It is a shell, since the first process has to reap orphans
     * and does not receive signals that it does not handle.
     */
    static List<String> inside(SystemTools tools) {
        return tools.shell(LOOK_OUT.formatted(us()) + WAIT, "mcp-bridge-init");
    }

    private static long us() {
        return ProcessHandle.current().pid();
    }
}
