package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;

/** A client that knows nothing but lines. */
final class LineTalk {
    private final BufferedReader in;
    private final OutputStream out;

    LineTalk(InputStream in, OutputStream out) {
        this.in = new BufferedReader(new InputStreamReader(in, UTF_8));
        this.out = out;
    }

    void say(String json) throws IOException {
        out.write((json + "\n").getBytes(UTF_8));
        out.flush();
    }

    /** The next line, or the word {@code end}. */
    String next() throws IOException {
        var line = in.readLine();
        return line == null ? "end" : line;
    }

    void initialize() throws IOException {
        ask(0, "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}");
    }

    void call(int id, String tool, String arguments) throws IOException {
        ask(id, "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments));
    }

    void ask(int id, String method, String params) throws IOException {
        say("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params));
    }
}
