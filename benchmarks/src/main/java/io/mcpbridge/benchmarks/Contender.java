package io.mcpbridge.benchmarks;

import java.io.IOException;

/** Something that makes round trips. */
interface Contender extends AutoCloseable {

    /** One round trip, from any thread; throws if the answer is missing or wrong. */
    void call() throws Exception;

    @Override
    void close() throws IOException;
}
