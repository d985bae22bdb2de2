package io.mcpbridge.architecture.wrong.audit;

import java.io.PrintWriter;
import java.io.Writer;

/** Nobody hears of a line that this could not write. */
public final class SwallowsErrors {
    private final PrintWriter out;

    public SwallowsErrors(Writer out) {
        this.out = new PrintWriter(out);
    }

    public void write(String line) {
        out.println(line);
    }
}
