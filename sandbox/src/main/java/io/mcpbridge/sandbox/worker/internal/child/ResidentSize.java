package io.mcpbridge.sandbox.worker.internal.child;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** How much memory this process takes, as Linux tells it. For one thread. */
final class ResidentSize {
    private static final String FILE = "/proc/self/statm";
    /** Java cannot ask for it; where pages are larger, a worker seems smaller than it is. */
    private static final long PAGE = 4096;

    private final byte[] line = new byte[128];
    private final @Nullable RandomAccessFile file;

    private ResidentSize(@Nullable RandomAccessFile file) {
        this.file = file;
    }

    static ResidentSize open() {
        try {
            return new ResidentSize(new RandomAccessFile(FILE, "r"));
        } catch (IOException elsewhere) {
            return new ResidentSize(null);
        }
    }

    /** In bytes; 0 where nobody tells. */
    long bytes() {
        if (file == null) {
            return 0;
        }
        try {
            file.seek(0);
            var read = file.read(line);
            var words = new String(line, 0, Math.max(0, read), StandardCharsets.US_ASCII).split(" ", 3);
            return words.length < 3 ? 0 : Long.parseLong(words[1]) * PAGE;
        } catch (IOException | NumberFormatException unknown) {
            return 0;
        }
    }
}
