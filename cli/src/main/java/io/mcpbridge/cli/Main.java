package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeEnvironmentVariables;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.VisibleText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code mcp-bridge} command: its subcommands, and the mapping from failures to exit codes. */
@Command(
        name = "mcp-bridge",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class,
        description = "Connects MCP clients to any number of MCP servers.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ok",
            "1:the tool or the server reported an error",
            "2:the command line or the configuration is wrong",
            "3:the daemon or server could not be reached",
            "4:timed out"
        })
public final class Main implements Callable<Integer> {

    /** The subcommands in the order of the help. */
    private static final List<String> COMMANDS = List.of(
            "demo",
            "serve",
            "connect",
            "call",
            "agent",
            "run",
            "tools",
            "servers",
            "clients",
            "health",
            "check",
            "lock",
            "audit",
            "version",
            "demo-server");

    private static final char REPLACEMENT = '\uFFFD';

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--debug",
            scope = CommandLine.ScopeType.INHERIT,
            description = "Show the stack trace of a failure.")
    private boolean isDebugging;

    @Option(
            names = "--plugins",
            paramLabel = "FOLDER",
            description = "Add the plug-in jars of this folder; read by the script mcp-bridge, for each subcommand.")
    private @Nullable Path plugins;

    /** Created by {@link #main} and by tests. */
    public Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // All texts are English; other locales write other digits, and their data takes a tenth of the start to load.
        Locale.setDefault(Locale.US);
        var lost = undecodable(arguments, System.getProperty("sun.jnu.encoding", "UTF-8"));
        lost.ifPresent(message -> System.err.println("mcp-bridge: " + message));
        System.exit(lost.isPresent() ? ExitCode.USAGE : run(arguments));
    }

    /**
     * The error message for arguments that Java could not decode; empty if they are intact. Java replaces bytes that
     * the encoding of the locale lacks, such as all non-ASCII bytes in the locale {@code C}, by U+FFFD, and a tool
     * would be called with that.
     */
    static Optional<String> undecodable(String[] arguments, String encoding) {
        if (encoding.equals("UTF-8")) {
            return Optional.empty();
        }
        return IntStream.range(0, arguments.length)
                .filter(i -> arguments[i].indexOf(REPLACEMENT) >= 0)
                .mapToObj(i ->
                        "argument %d holds characters that cannot be read in %s, the encoding of the locale; use one of UTF-8, such as LC_ALL=C.UTF-8"
                                .formatted(i + 1, encoding))
                .findFirst();
    }

    /** Runs the command and returns its exit code. A bare {@code version} needs neither the parser nor the log. */
    static int run(String... arguments) {
        var out = standardOutput();
        if (List.of(arguments).equals(List.of("version")) && hasUsableVariables()) {
            List.of(new VersionCommand().getVersion()).forEach(out::println);
            out.flush();
            return ExitCode.OK;
        }
        Logging.toStandardError();
        return commandLine(arguments).setOut(out).execute(arguments);
    }

    private static boolean hasUsableVariables() {
        try {
            var unused = BridgeEnvironmentVariables.of(System.getenv());
            return true;
        } catch (ConfigurationException legacy) {
            return false;
        }
    }

    /** Always UTF-8, as JSON requires, whatever the locale. */
    private static PrintWriter standardOutput() {
        return new PrintWriter(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
    }

    /**
     * The command for one execution with these arguments. It has the subcommand that the first one names, since to
     * build all of them takes a third of the start; without such a name it has all.
     */
    static CommandLine commandLine(String... arguments) {
        var main = new Main();
        var command = new CommandLine(main);
        var isOne = arguments.length > 0 && COMMANDS.contains(arguments[0]);
        (isOne ? List.of(arguments[0]) : COMMANDS).forEach(name -> command.addSubcommand(subcommand(name)));
        return command.setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Main::execute)
                .setExecutionExceptionHandler((failure, line, parsed) -> main.report(failure, line.getErr()))
                .setParameterExceptionHandler((failure, unused) -> reportUsage(failure));
    }

    private static Object subcommand(String name) {
        return switch (name) {
            case "demo" -> new DemoCommand();
            case "serve" -> new ServeCommand();
            case "connect" -> new ConnectCommand();
            case "call" -> new CallCommand();
            case "agent" -> new AgentCommand();
            case "run" -> new WorkflowCommand();
            case "tools" -> new ToolsCommand();
            case "servers" -> new ServersCommand();
            case "clients" -> new ClientsCommand();
            case "health" -> new HealthCommand();
            case "check" -> new CheckCommand();
            case "lock" -> new LockCommand();
            case "audit" -> new AuditCommand();
            case "version" -> new VersionCommand();
            case "demo-server" -> new DemoServerCommand();
            default -> throw new IllegalArgumentException("there is no subcommand '%s'".formatted(name));
        };
    }

    /** Runs the subcommand, or prints its help. No subcommand runs with a legacy variable. */
    private static int execute(CommandLine.ParseResult parsed) {
        var help = CommandLine.executeHelpRequest(parsed);
        if (help != null) {
            return help;
        }
        try {
            var unused = BridgeEnvironmentVariables.of(System.getenv());
        } catch (ConfigurationException legacy) {
            throw new CommandLine.ExecutionException(parsed.commandSpec().commandLine(), "legacy variable", legacy);
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    @Override
    public Integer call() {
        if (plugins != null) {
            throw ConfigurationException.of(
                    "'--plugins' is '%s' but must be given to the script mcp-bridge; add the jars to the class path of Java"
                            .formatted(plugins));
        }
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE;
    }

    private int report(Exception failure, PrintWriter err) {
        if (isDebugging) {
            var trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace, true));
            err.print(VisibleText.lines(trace.toString()));
        }
        if (failure instanceof InterruptedException) {
            err.println("mcp-bridge: interrupted");
            return ExitCode.TOOL_ERROR;
        }
        err.println("mcp-bridge: " + VisibleText.lines(String.valueOf(failure.getMessage())));
        return failure instanceof BridgeException known ? ExitCode.of(known) : ExitCode.TOOL_ERROR;
    }

    private static int reportUsage(CommandLine.ParameterException failure) {
        var line = failure.getCommandLine();
        line.getErr().println("mcp-bridge: " + failure.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, line.getErr());
        line.getErr().println("Try '%s --help'.".formatted(line.getCommandSpec().qualifiedName()));
        return ExitCode.USAGE;
    }
}
