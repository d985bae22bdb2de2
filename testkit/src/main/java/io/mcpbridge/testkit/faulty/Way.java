package io.mcpbridge.testkit.faulty;

import java.io.IOException;
import java.time.Duration;

/** The way back to whoever sent a message. One answer at a time is written on it; it locks for itself. */
interface Way {

    /** Writes a whole message. */
    void send(String json) throws IOException;

    /** Says that more than one thing will be written, so that there must be room. */
    void expectSeveral() throws IOException;

    /** Writes the first half of a message. */
    void begin(String json) throws IOException;

    /** Writes the other half. */
    void finish(String json) throws IOException;

    /** Writes a message byte by byte. */
    void dribble(String json, Duration pause) throws IOException, InterruptedException;

    /** Writes what is no message. */
    void garbage() throws IOException;

    /** Answers with a status and headers, each line of them ended; only HTTP has one. */
    void refuse(int status, String headers) throws IOException;

    /** Ends the connection. */
    void cut();
}
