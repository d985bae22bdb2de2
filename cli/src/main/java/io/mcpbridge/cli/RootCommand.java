package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeEnvironmentVariables;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.VisibleText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code mcp-bridge} command with its subcommands, for the parser; not loaded for a command that needs no parser. */
@Command(
        name = "mcp-bridge",
        mixinStandardHelpOptions = true,
        description = "Connects MCP clients to any number of MCP servers.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:ok",
            "1:the tool or the server reported an error",
            "2:the command line or the configuration is wrong",
            "3:the daemon or server could not be reached",
            "4:timed out"
        })
final class RootCommand implements Callable<Integer> {

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

    /**
     * The command for one execution with these arguments. It has the subcommand that the first one names, since to
     * build all of them takes a third of the start; without such a name it has all.
     */
    static CommandLine commandLine(Output output, String... arguments) {
        var root = new RootCommand();
        var command = new CommandLine(root, new OutputFactory(output));
        command.getCommandSpec().versionProvider(VersionCommand::lines);
        var isOne = arguments.length > 0 && COMMANDS.contains(arguments[0]);
        (isOne ? List.of(arguments[0]) : COMMANDS).forEach(name -> command.addSubcommand(subcommand(name, output)));
        return command.setOut(output.out())
                .setErr(output.err())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(RootCommand::execute)
                .setExecutionExceptionHandler((failure, line, parsed) -> root.report(failure, line.getErr()))
                .setParameterExceptionHandler((failure, unused) -> reportUsage(failure));
    }

    private static Object subcommand(String name, Output output) {
        return switch (name) {
            case "demo" -> new DemoCommand();
            case "serve" -> new ServeCommand();
            case "connect" -> new ConnectCommand();
            case "call" -> new CallCommand(output);
            case "agent" -> new AgentCommand();
            case "run" -> new WorkflowCommand();
            case "tools" -> new ToolsCommand(output);
            case "servers" -> new ServersCommand(output);
            case "clients" -> new ClientsCommand(output);
            case "health" -> new HealthCommand(output);
            case "check" -> new CheckCommand();
            case "lock" -> new LockCommand();
            case "audit" -> new AuditCommand();
            case "version" -> new VersionCommand(output);
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
        return Main.report(failure, err);
    }

    private static int reportUsage(CommandLine.ParameterException failure) {
        var line = failure.getCommandLine();
        line.getErr().println("mcp-bridge: " + failure.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, line.getErr());
        line.getErr().println("Try '%s --help'.".formatted(line.getCommandSpec().qualifiedName()));
        return ExitCode.USAGE;
    }

    /** Makes the mixins of subcommands: all share one output. */
    private record OutputFactory(Output output) implements CommandLine.IFactory {
        @Override
        public <K> K create(Class<K> type) throws Exception {
            return type == Output.class
                    ? type.cast(output)
                    : CommandLine.defaultFactory().create(type);
        }
    }
}
