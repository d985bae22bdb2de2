package io.mcpbridge.sandbox.orphans;

/** Children that are hard to end. Each says {@code ready} on standard output when it is what it is. */
public enum Member {
    /** Another one without parent, in a session of its own and without pipes, speaks. */
    FORKS_TWICE(
            "(setsid sh -c 'echo ready >&3; exec sleep 1000 3>&-' 3>&1 >/dev/null 2>&1 </dev/null &); exec sleep 1000"),
    /** What is ignored stays so in the program that the shell becomes. */
    IGNORES_TERM("trap '' TERM; echo ready; exec sleep 1000"),
    STOPPED("echo ready; kill -STOP $$; exec sleep 1000"),
    CLOSES_STDIN("exec <&-; echo ready; exec sleep 1000"),
    FORKS("sleep 1000 & sleep 1000 & echo ready; wait"),
    COMPUTES("echo ready; while :; do :; done"),
    FLOODS_STDERR("echo ready; while :; do echo flood >&2; done");

    private final String script;

    Member(String script) {
        this.script = script;
    }

    /** What a shell has to do for it. */
    public String script() {
        return script;
    }
}
