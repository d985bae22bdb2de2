package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeEnvironmentVariables;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.VisibleText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** Starts the {@code mcp-bridge} command, and maps failures to exit codes. */
public final class Main {
    private static final char REPLACEMENT = '\uFFFD';

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // All texts are English; other locales write other digits, and their data takes a tenth of the start to load.
        Locale.setDefault(Locale.US);
        var lost = undecodable(arguments, System.getProperty("sun.jnu.encoding", "UTF-8"));
        lost.ifPresent(message -> System.err.println("mcp-bridge: " + message));
        System.exit(lost.isPresent() ? ExitCode.USAGE : run(Output.standard(), arguments));
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

    /** Runs the command and returns its exit code. */
    static int run(Output output, String... arguments) {
        var simple = simple(output, List.of(arguments));
        if (simple.isPresent()) {
            try {
                var unused = BridgeEnvironmentVariables.of(System.getenv());
                return simple.get().call();
            } catch (Exception failure) {
                return report(failure, output.err());
            }
        }
        Logging.toStandardError();
        return RootCommand.commandLine(output, arguments).execute(arguments);
    }

    /**
     * The command for arguments that need no parser, whose classes no archive can hold. One that only asks a running
     * daemon does not need the log of the JDK either.
     */
    private static Optional<Callable<Integer>> simple(Output output, List<String> words) {
        var serve = ServeCommand.simple(words);
        if (serve.isPresent()) {
            Logging.toStandardError();
            return serve.map(command -> command);
        }
        if (words.isEmpty() || words.stream().anyMatch(word -> word.startsWith("-") || word.startsWith("@"))) {
            return Optional.empty();
        }
        return switch (words.get(0) + " " + words.size()) {
            case "call 2" -> Optional.of(new CallCommand(output, words.get(1), CallCommand.NO_ARGUMENTS));
            case "call 3" -> Optional.of(new CallCommand(output, words.get(1), words.get(2)));
            case "tools 1" -> Optional.of(new ToolsCommand(output));
            case "servers 1" -> Optional.of(new ServersCommand(output));
            case "clients 1" -> Optional.of(new ClientsCommand(output));
            case "health 1" -> Optional.of(new HealthCommand(output));
            case "version 1" -> Optional.of(new VersionCommand(output));
            default -> Optional.empty();
        };
    }

    /** Prints a failure and returns its exit code. */
    static int report(Exception failure, PrintWriter err) {
        if (failure instanceof InterruptedException) {
            err.println("mcp-bridge: interrupted");
            return ExitCode.TOOL_ERROR;
        }
        err.println("mcp-bridge: " + VisibleText.lines(String.valueOf(failure.getMessage())));
        return failure instanceof BridgeException known ? ExitCode.of(known) : ExitCode.TOOL_ERROR;
    }
}
