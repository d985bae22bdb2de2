package io.mcpbridge.sandbox.launch;

import java.util.List;

/**
 * Shells that look whether we are still there. The system kills those whose parent has ended only once they have asked for
 * it; whoever was started just before we were killed asks too late, and has to look after it has asked.
 */
final class Lifeline {
    /** As of one that was killed. */
    private static final String END = "exit 137";

    private static final String LOOK = "[ \"$PPID\" = %d ] || " + END + "; exec \"$@\"";

    /** What the third file says stays true of this process when it has become another program. */
    private static final String HOLD = "exec 3</proc/$$/stat; exec \"$@\"";

    /** Within the namespace we cannot be seen any more, but the file that was opened outside can be read. */
    private static final String LOOK_OUT = "read -r pid name state parent rest <&3 || " + END
            + "; case $state$parent in [!ZX]%d) ;; *) " + END + " ;; esac; exec 3<&-; ";

    /** What it says itself of a child that was killed is nobody's business. */
    private static final String WAIT = "exec 3>&2 2>/dev/null; \"$@\" 2>&3 3>&-; exit $?";

    private Lifeline() {}

    /** Words that become those that follow if we are the parent. */
    static List<String> words(Tools tools) {
        return shell(tools, LOOK.formatted(us()), "mcp-bridge-guard");
    }

    /** Words that become those that follow, which make a namespace. */
    static List<String> outside(Tools tools) {
        return shell(tools, HOLD, "mcp-bridge-guard");
    }

    /**
     * Words for the first process of a namespace, behind {@link #outside}. It goes on if the one that made the namespace is
     * alive and is our child. A shell does it since the first process has to collect those that lost their parents, and
     * does not get signals that it does not ask for.
     */
    static List<String> inside(Tools tools) {
        return shell(tools, LOOK_OUT.formatted(us()) + WAIT, "mcp-bridge-init");
    }

    private static long us() {
        return ProcessHandle.current().pid();
    }

    private static List<String> shell(Tools tools, String script, String name) {
        return List.of(tools.path("sh"), "-c", script, name);
    }
}
