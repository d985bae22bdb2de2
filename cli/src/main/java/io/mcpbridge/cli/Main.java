package io.mcpbridge.cli;

import io.mcpbridge.failure.BridgeException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code mcp-bridge} command: puts the subcommands together and turns failures into exit codes. */
@Command(
        name = "mcp-bridge",
        mixinStandardHelpOptions = true,
        versionProvider = VersionText.class,
        description = "Connects MCP clients to any number of MCP servers.",
        subcommands = {
            DemoCommand.class,
            ServeCommand.class,
            ConnectCommand.class,
            CallCommand.class,
            ToolsCommand.class,
            ServersCommand.class,
            ClientsCommand.class,
            HealthCommand.class,
            CheckCommand.class,
            LockCommand.class,
            AuditCommand.class,
            VersionCommand.class,
            DemoServerCommand.class
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ok",
            "1:the tool or the server says that the call failed",
            "2:the command line or the configuration is wrong",
            "3:nobody could be reached",
            "4:timed out"
        })
public final class Main implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(names = "--debug", scope = CommandLine.ScopeType.INHERIT, description = "Show the stack of a failure.")
    private boolean isDebugging;

    /** Made by {@link #main} and by tests; does nothing yet. */
    public Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        Logging.toStandardError();
        var lost = LostCharacters.in(arguments, System.getProperty("sun.jnu.encoding", "UTF-8"));
        lost.ifPresent(words -> System.err.println("mcp-bridge: " + words));
        System.exit(lost.isPresent() ? ExitCode.USAGE : run(arguments));
    }

    /** Runs the command and returns its exit code. */
    static int run(String... arguments) {
        return commandLine().setOut(standardOutput()).execute(arguments);
    }

    /** Always in UTF-8, as JSON has to be, whatever the locale makes of characters that it does not know. */
    private static PrintWriter standardOutput() {
        return new PrintWriter(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    }

    /** The command with its subcommands, ready to be executed once. */
    static CommandLine commandLine() {
        var main = new Main();
        return new CommandLine(main)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((failure, line, parsed) -> main.tell(failure, line.getErr()))
                .setParameterExceptionHandler((failure, unused) -> tellUsage(failure));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    private int tell(Exception failure, PrintWriter err) {
        if (isDebugging) {
            failure.printStackTrace(err);
        }
        if (failure instanceof InterruptedException) {
            err.println("mcp-bridge: interrupted");
            return ExitCode.TOOL_ERROR;
        }
        err.println("mcp-bridge: " + failure.getMessage());
        return failure instanceof BridgeException known ? ExitCode.of(known) : ExitCode.TOOL_ERROR;
    }

    private static int tellUsage(CommandLine.ParameterException failure) {
        var line = failure.getCommandLine();
        line.getErr().println("mcp-bridge: " + failure.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, line.getErr());
        line.getErr().println("Try '%s --help'.".formatted(line.getCommandSpec().qualifiedName()));
        return ExitCode.USAGE;
    }
}
