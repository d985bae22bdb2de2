package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** The way back over a byte stream, one message a line. Any thread. */
final class StreamWay implements Way {
    private final ReentrantLock writing = new ReentrantLock();
    private final OutputStream out;
    private final Runnable cut;

    StreamWay(OutputStream out, Runnable cut) {
        this.out = out;
        this.cut = cut;
    }

    @Override
    public void send(String json) throws IOException {
        write(json + "\n");
    }

    @Override
    public void expectSeveral() {}

    @Override
    public void begin(String json) throws IOException {
        write(json.substring(0, json.length() / 2));
    }

    @Override
    public void finish(String json) throws IOException {
        write(json.substring(json.length() / 2) + "\n");
    }

    @Override
    public void dribble(String json, Duration pause) throws IOException, InterruptedException {
        for (byte next : (json + "\n").getBytes(UTF_8)) {
            write(new byte[] {next});
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        }
    }

    @Override
    public void garbage() throws IOException {
        write("this is no message {]\n");
    }

    @Override
    public void refuse(int status, String headers) {
        throw new IllegalStateException("a byte stream has no status " + status);
    }

    @Override
    public void cut() {
        cut.run();
    }

    private void write(String text) throws IOException {
        write(text.getBytes(UTF_8));
    }

    private void write(byte[] bytes) throws IOException {
        writing.lock();
        try {
            out.write(bytes);
            out.flush();
        } finally {
            writing.unlock();
        }
    }
}
