package io.mcpbridge.transport.stdio;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.stream.LineConnection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Hands what the client writes to its connection. One thread runs it for as long as the input lasts. */
final class InputPump {
    private static final int CHUNK = 64 << 10;

    private final InputStream in;
    private final LineConnection connection;
    private final Duration finishPatience;
    private final Environment environment;

    InputPump(InputStream in, LineConnection connection, Duration finishPatience, Environment environment) {
        this.in = in;
        this.connection = connection;
        this.finishPatience = finishPatience;
        this.environment = environment;
    }

    /** The whole life of the thread. */
    void pump() {
        var chunk = new byte[CHUNK];
        try {
            for (var read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                connection.received(ByteBuffer.wrap(chunk, 0, read));
            }
            ended();
        } catch (IOException broken) {
            connection.lost("standard input cannot be read: " + broken.getMessage());
        } catch (RuntimeException failed) {
            // The outermost frame of the thread; without it the client would wait for ever.
            environment.logger().log(System.Logger.Level.WARNING, "[mcp-bridge] reading a client failed", failed);
            connection.lost("a fault in the bridge: " + failed);
        }
    }

    /**
     * The client may still wait for answers, as a shell does that pipes requests in, or it may be gone: a pipe
     * does not tell before something is written. So its calls go on, but not for ever.
     */
    private void ended() {
        environment
                .timekeeper()
                .schedule(finishPatience, () -> connection.lost("its calls did not end after standard input did"));
        connection.halfClosed();
    }
}
