package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.LaunchCommand;
import java.util.List;
import java.util.Optional;

/** Confines a command by prepending the words of a tool of the operating system. Immutable. */
interface CommandWrapper {
    /** The wrapper of L0, which adds nothing. */
    CommandWrapper NONE = new CommandWrapper() {

        @Override
        public String name() {
            return "nothing";
        }

        @Override
        public Optional<String> missing() {
            return Optional.empty();
        }

        @Override
        public LaunchCommand wrap(LaunchCommand command) {
            return command.through(List.of());
        }
    };

    /** The name of the tool, for messages. */
    String name();

    /** Why the tool cannot be used, as a sentence; empty if it may work. */
    Optional<String> missing();

    /**
     * Returns the command with the words that confine it to its limits.
     *
     * @throws io.mcpbridge.failure.TransportException if its limits name a path that does not exist
     */
    LaunchCommand wrap(LaunchCommand command);
}
