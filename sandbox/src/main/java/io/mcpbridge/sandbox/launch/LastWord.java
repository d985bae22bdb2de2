package io.mcpbridge.sandbox.launch;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What we add to the end of a child's standard error, if there is anything to say when it is read. One reader. */
final class LastWord extends InputStream {
    private volatile String text = "";
    private boolean isBegun;
    private InputStream words = InputStream.nullInputStream();

    /** From any thread, before the child has ended. */
    void say(String newText) {
        text = newText;
    }

    @Override
    public int read() throws IOException {
        return words().read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        return words().read(bytes, from, length);
    }

    private InputStream words() {
        if (!isBegun) {
            isBegun = true;
            words = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }
        return words;
    }
}
