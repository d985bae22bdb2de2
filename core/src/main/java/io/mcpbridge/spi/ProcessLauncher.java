package io.mcpbridge.spi;

import java.util.Optional;

/** Starts child processes. Any thread may use it; starting may wait for a short time. */
public interface ProcessLauncher extends AutoCloseable {

    /**
     * Starts a child whose environment holds what {@code command} says and nothing else, within its limits and at the
     * level that it requires; a launcher that cannot do that refuses it.
     *
     * @throws io.mcpbridge.failure.TransportException if it cannot be started; the message quotes neither
     *     arguments nor environment
     * @throws InterruptedException if the waiting thread is interrupted; no child is left then
     */
    ChildProcess launch(Command command) throws InterruptedException;

    /** The level of children that require none and have no limits. */
    default SandboxLevel level() {
        return SandboxLevel.L0;
    }

    /** The level that {@code command} is to be held at: starts and refuses nothing. */
    default SandboxLevel level(Command command) {
        var wanted = command.level().orElse(level());
        var needed = command.limits().needs();
        return wanted.covers(needed) ? wanted : needed;
    }

    /** Why it cannot hold children at {@code level}, in a sentence; empty if it can. May wait until that is found out. */
    default Optional<String> missing(SandboxLevel level) {
        return level == SandboxLevel.L0
                ? Optional.empty()
                : Optional.of(
                        "the launcher starts plain processes alone; add the artifact io.mcpbridge:mcp-bridge-sandbox");
    }

    /**
     * Why it would refuse {@code command} wherever it runs, in a sentence that shows no value of a variable; empty where it
     * would not. May wait as {@link #missing} does, and starts nothing.
     */
    default Optional<String> refusal(Command command) {
        return Optional.empty();
    }

    /** What keeps it from higher levels here, in a sentence; empty where there is nothing to say. */
    default Optional<String> remark() {
        return Optional.empty();
    }

    /** Ends every child that is still there. */
    @Override
    void close();
}
