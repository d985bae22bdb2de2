package io.mcpbridge.architecture.wrong.audit;

import java.io.PrintWriter;
import java.io.Writer;

/** Hides that a line was not written. */
public final class SwallowsErrors {
    private final PrintWriter out;

    public SwallowsErrors(Writer out) {
        this.out = new PrintWriter(out);
    }

    public void write(String line) {
        out.println(line);
    }
}
