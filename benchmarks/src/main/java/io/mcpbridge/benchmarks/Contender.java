package io.mcpbridge.benchmarks;

import java.io.IOException;

/** A client that is measured in round trips. */
interface Contender extends AutoCloseable {

    /** Prepares a round trip; is not measured. */
    default void pause() throws InterruptedException, IOException {}

    /** One round trip, from any thread; throws if the answer is missing or wrong. */
    void call() throws Exception;

    @Override
    void close() throws IOException;
}
