package io.mcpbridge.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;

/**
 * The result of a command.
 *
 * @param exitCode the exit code
 * @param out its standard output
 * @param err its standard error
 */
record RunCommand(int exitCode, String out, String err) {

    /** A server over stdio that the commands can call, one command line. */
    static final String SERVER = String.join(
            " ",
            List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    "'" + System.getProperty("java.class.path") + "'",
                    "io.mcpbridge.cli.Main",
                    "demo-server"));

    static RunCommand of(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        var exitCode = Main.run(new Output(new PrintWriter(out), new PrintWriter(err)), arguments);
        return new RunCommand(exitCode, out.toString(), err.toString());
    }
}
