package io.mcpbridge.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Where a subcommand prints: colour on a terminal only, errors on standard error. */
@Command
final class Output {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    void line(String text) {
        var out = out();
        out.println(text);
        out.flush();
    }

    /** A line with picocli's markup, such as {@code @|green ok|@}, which is dropped where there is no terminal. */
    void styled(String markup) {
        line(Ansi.AUTO.string(markup));
    }

    /** The same as a part of a line, in which other words must not be taken for markup. */
    static String painted(String markup) {
        return Ansi.AUTO.string(markup);
    }

    void error(String text) {
        var err = spec.commandLine().getErr();
        err.println(text);
        err.flush();
    }

    /** Whether nobody reads any more what is printed, such as behind a pipe that was closed. */
    boolean isOver() {
        return out().checkError();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
