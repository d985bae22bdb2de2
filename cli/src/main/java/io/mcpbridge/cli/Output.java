package io.mcpbridge.cli;

import io.mcpbridge.cli.trail.TrailOutput;
import io.mcpbridge.failure.VisibleText;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints for a subcommand: colour on a terminal only, errors on standard error. */
@Command
final class Output implements TrailOutput {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Override
    public void line(String text) {
        var out = out();
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
        var err = spec.commandLine().getErr();
        err.println(VisibleText.lines(text));
        err.flush();
    }

    /** Prints markup to standard error, on a terminal only; the caller escapes text of peers. */
    void progress(String markup) {
        if (Ansi.AUTO.enabled()) {
            var err = spec.commandLine().getErr();
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
        return out().checkError();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
