package io.mcpbridge.transport.stdio;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.FrameReader;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads messages from a child's standard output, and passes over what is none. Used by the reader thread. */
final class ChildOutput {
    private static final int CHUNK = 64 << 10;

    private final InputStream stdout;
    private final Limits limits;
    private final ReceiverGate gate;
    private final ChildInput input;
    private final Noise noise;

    ChildOutput(InputStream stdout, Limits limits, ReceiverGate gate, ChildInput input, Noise noise) {
        this.limits = limits;
        this.stdout = stdout;
        this.gate = gate;
        this.input = input;
        this.noise = noise;
    }

    /**
     * Reads to the end.
     *
     * @throws ProtocolException if it makes no sense to read on
     */
    void read() throws IOException {
        var frames = new FrameReader(limits);
        var chunk = new byte[CHUNK];
        try (stdout) {
            for (var read = stdout.read(chunk); read >= 0; read = stdout.read(chunk)) {
                frames.feed(ByteBuffer.wrap(chunk, 0, read), this::frame);
            }
        }
        if (frames.isInsideFrame()) {
            noise.brokeOff();
        }
    }

    private void frame(byte[] line) {
        Message message;
        try {
            message = Message.scanOfServer(line, limits);
        } catch (ProtocolException refused) {
            gate.unreadable(refused, Message.readableAnswerId(line, limits));
            noise.skipped(line, refused);
            return;
        }
        noise.interrupted();
        input.heard(message);
        gate.message(message);
    }
}
