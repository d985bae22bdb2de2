package io.mcpbridge.spi;

import java.util.Optional;

/** Starts child processes. Any thread may use it; starting may block for a short time. */
public interface ProcessLauncher extends AutoCloseable {

    /**
     * Starts a child with exactly the environment of {@code command}, within its limits and at the level that it
     * requires. A launcher that cannot do that rejects the command.
     *
     * @throws io.mcpbridge.failure.TransportException if it cannot be started; the message quotes neither arguments nor
     *     environment
     * @throws InterruptedException if the waiting thread is interrupted; no child is left then
     */
    ChildProcess launch(LaunchCommand command) throws InterruptedException;

    /** The level of children that require none and have no limits. */
    default SandboxLevel level() {
        return SandboxLevel.L0;
    }

    /** The level at which {@code command} would run; starts nothing. */
    default SandboxLevel level(LaunchCommand command) {
        var wanted = command.level().orElse(level());
        var needed = command.limits().needs();
        return wanted.covers(needed) ? wanted : needed;
    }

    /**
     * The reason why the launcher cannot run children at {@code level}, in a sentence; empty if it can. May block while
     * it finds out.
     */
    default Optional<String> missing(SandboxLevel level) {
        return level == SandboxLevel.L0
                ? Optional.empty()
                : Optional.of(
                        "the launcher starts plain processes alone; add the artifact io.mcpbridge:mcp-bridge-sandbox");
    }

    /**
     * The reason why {@link #launch} would reject {@code command} on any machine, in a sentence without values of
     * variables; empty if it would not. Starts nothing, and may block as {@link #missing} does.
     */
    default Optional<String> refusal(LaunchCommand command) {
        return Optional.empty();
    }

    /** The reason why higher levels are missing here, in a sentence; empty if there is none. */
    default Optional<String> remark() {
        return Optional.empty();
    }

    /** Ends every child that is still running. */
    @Override
    void close();
}
