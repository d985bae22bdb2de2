package io.mcpbridge.benchmarks;

import java.io.IOException;

/** A contender of raw bytes, whose constructor waits for the answer of {@code initialize}. */
interface Session extends Contender {

    /** Sends {@code notifications/initialized}, once, before the first call. */
    void confirm() throws IOException;
}
