package io.mcpbridge.golden;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** Reads HTTP/1.1 byte by byte, so that what is recorded is what was sent. */
final class HttpText {
    private HttpText() {}

    /** First line and headers, with a line end after each; empty at the end of the stream. */
    static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    /** A header's value, or the empty string. */
    static String header(String head, String name) {
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    static String body(InputStream in, String head) throws IOException {
        if (header(head, "transfer-encoding").equals("chunked")) {
            var all = new StringBuilder();
            for (var chunk = chunk(in); !chunk.isEmpty(); chunk = chunk(in)) {
                all.append(chunk);
            }
            return all.toString();
        }
        var length = header(head, "content-length");
        return length.isEmpty() ? "" : new String(in.readNBytes(Integer.parseInt(length)), UTF_8);
    }

    /** The next chunk; empty for the last one. */
    static String chunk(InputStream in) throws IOException {
        var size = Integer.parseInt(line(in), 16);
        var chunk = new String(in.readNBytes(size), UTF_8);
        line(in);
        return chunk;
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                if (line.size() == 0) {
                    return "";
                }
                throw new EOFException("the stream ended within " + line.toString(ISO_8859_1));
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(ISO_8859_1);
    }
}
