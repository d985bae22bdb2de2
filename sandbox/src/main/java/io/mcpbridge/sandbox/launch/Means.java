package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import java.util.Optional;

/** One way of the operating system to hold a child. Immutable. */
interface Means {

    /** The program that does it, for messages. */
    String name();

    /** Why it cannot be tried, in a sentence; empty if it can. */
    Optional<String> missing();

    /**
     * The command behind the words that hold what it starts to its limits.
     *
     * @throws io.mcpbridge.failure.TransportException if its limits name what is not there
     */
    Command wrap(Command command);
}
