package io.mcpbridge.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A sink that takes as many bytes as the test allows. */
final class NarrowSink implements ByteSink {
    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private long room = Long.MAX_VALUE;
    private boolean broken;
    int asked;
    int writes;
    int closed;

    static NarrowSink closed() {
        var sink = new NarrowSink();
        sink.room = 0;
        return sink;
    }

    void allow(long bytes) {
        room = bytes;
    }

    void breakNow() {
        broken = true;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (broken || closed > 0) {
            throw new IOException("Broken pipe");
        }
        var fits = (int) Math.min(room, bytes.remaining());
        for (int i = 0; i < fits; i++) {
            taken.write(bytes.get());
        }
        room -= fits;
        writes++;
    }

    @Override
    public void awaitWritable() {
        asked++;
    }

    @Override
    public void close() {
        closed++;
    }

    String text() {
        return taken.toString(UTF_8);
    }

    List<String> lines() {
        return text().lines().toList();
    }
}
