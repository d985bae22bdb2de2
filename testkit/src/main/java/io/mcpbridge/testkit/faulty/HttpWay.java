package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The way back for one HTTP request: a JSON body, or a stream of events where several things are said. One thread. */
final class HttpWay implements Way {
    private final OutputStream out;
    private final Runnable cut;
    private final String moreHeaders;
    private boolean isStream;
    private boolean isWritten;

    HttpWay(OutputStream out, Runnable cut, String moreHeaders) {
        this.out = out;
        this.cut = cut;
        this.moreHeaders = moreHeaders;
    }

    /** Whether the connection has to end after this answer. */
    boolean isStream() {
        return isStream;
    }

    /** Whether anything was answered. */
    boolean isWritten() {
        return isWritten;
    }

    @Override
    public void send(String json) throws IOException {
        write(isStream ? event(json) : whole(200, json));
    }

    @Override
    public void expectSeveral() throws IOException {
        if (isStream) {
            return;
        }
        isStream = true;
        write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n" + moreHeaders + "\r\n");
    }

    @Override
    public void begin(String json) throws IOException {
        if (isStream) {
            write(event(json).substring(0, json.length() / 2));
        } else {
            write(head(200, json) + json.substring(0, json.length() / 2));
        }
    }

    @Override
    public void finish(String json) throws IOException {
        write(isStream ? event(json).substring(json.length() / 2) : json.substring(json.length() / 2));
    }

    @Override
    public void dribble(String json, Duration pause) throws IOException, InterruptedException {
        if (!isStream) {
            write(head(200, json));
        }
        for (byte next : (isStream ? event(json) : json).getBytes(UTF_8)) {
            out.write(next);
            out.flush();
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        }
    }

    @Override
    public void garbage() throws IOException {
        expectSeveral();
        write(event("this is no message {]"));
    }

    @Override
    public void refuse(int status, String headers) throws IOException {
        write("HTTP/1.1 %d Refused\r\n%sContent-Length: 0\r\n\r\n".formatted(status, headers));
    }

    /** Answers with a status and a message. */
    void send(int status, String json) throws IOException {
        write(whole(status, json));
    }

    @Override
    public void cut() {
        cut.run();
    }

    private static String event(String json) {
        return "data: " + json + "\n\n";
    }

    private String whole(int status, String json) {
        return head(status, json) + json;
    }

    private String head(int status, String json) {
        return "HTTP/1.1 %d Answer\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n"
                .formatted(status, json.getBytes(UTF_8).length, moreHeaders);
    }

    private void write(String text) throws IOException {
        isWritten = true;
        out.write(text.getBytes(UTF_8));
        out.flush();
    }
}
