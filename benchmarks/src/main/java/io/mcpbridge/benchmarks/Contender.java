package io.mcpbridge.benchmarks;

import java.io.Closeable;
import java.io.IOException;

/** A client that is measured in round trips. */
interface Contender extends Closeable {

    /** Prepares a round trip; is not measured. */
    default void prepare() throws InterruptedException, IOException {}

    /** One round trip, from any thread; throws if the answer is missing or wrong. */
    void call() throws Exception;

    /** Connects again after a failed round trip, unless the client does so itself. */
    default void reconnect() throws IOException {}
}
