package io.mcpbridge.orphans;

/** Children that are hard to end. Each writes {@code ready} to standard output when it is set up. */
enum StubbornChild {
    /** An orphan in a session of its own and without pipes writes it. */
    FORKS_TWICE(
            "(setsid sh -c 'echo ready >&3; exec sleep 1000 3>&-' 3>&1 >/dev/null 2>&1 </dev/null &); exec sleep 1000"),
    /** The program that the shell becomes inherits the ignored signal. */
    IGNORES_TERM("trap '' TERM; echo ready; exec sleep 1000"),
    STOPPED("echo ready; kill -STOP $$; exec sleep 1000"),
    CLOSES_STDIN("exec <&-; echo ready; exec sleep 1000"),
    FORKS("sleep 1000 & sleep 1000 & echo ready; wait"),
    COMPUTES("echo ready; while :; do :; done"),
    FLOODS_STDERR("echo ready; while :; do echo flood >&2; done");

    private final String script;

    StubbornChild(String script) {
        this.script = script;
    }

    /** The script of a shell that becomes such a child. */
    String script() {
        return script;
    }
}
