package io.mcpbridge.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.cli.trail.TrailOutput;
import io.mcpbridge.failure.VisibleText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/** Prints for a subcommand: colour on a terminal only, errors on standard error. */
@Command
final class Output implements TrailOutput {

    private final PrintWriter out;
    private final PrintWriter err;

    Output(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    /** Prints to the standard streams; always UTF-8 to standard output, as JSON requires, whatever the locale. */
    static Output standard() {
        return new Output(
                new PrintWriter(new FileOutputStream(FileDescriptor.out), false, UTF_8),
                new PrintWriter(System.err, true, Charset.defaultCharset()));
    }

    PrintWriter out() {
        return out;
    }

    PrintWriter err() {
        return err;
    }

    @Override
    public void line(String text) {
        out.println(text);
        out.flush();
    }

    /** Prints JSON; characters that a terminal would obey or hide become JSON escapes. */
    void json(String json) {
        line(VisibleText.json(json));
    }

    /** Prints a line with picocli's markup, such as {@code @|green ok|@}; without a terminal the markup is removed. */
    void styled(String markup) {
        line(Ansi.AUTO.string(markup));
    }

    /** Renders markup for a part of a line, so that the rest is not taken for markup. */
    static String painted(String markup) {
        return Ansi.AUTO.string(markup);
    }

    /** Prints to standard error; escaped, because it may contain text of peers. */
    void error(String text) {
        err.println(VisibleText.lines(text));
        err.flush();
    }

    /** Prints markup to standard error, on a terminal only; the caller escapes text of peers. */
    void progress(String markup) {
        if (Ansi.AUTO.enabled()) {
            err.println(Ansi.AUTO.string(markup));
            err.flush();
        }
    }

    @Override
    public void remark(String text) {
        error("mcp-bridge: " + text);
    }

    @Override
    public boolean isClosed() {
        return out.checkError();
    }
}
