package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.faulty.FaultyServerHandler.Host;
import io.mcpbridge.testkit.faulty.FaultyServerHandler.Way;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The faulty server as a program, over standard input and output or a socket.
 *
 * <pre>
 * --at RULE          a rule of a {@link FaultScript}, such as on-request:3=exit:7; any number of them
 * --era legacy       or modern; legacy if it is not given
 * --state FOLDER     where the {@link ExecutionCounter} is kept, so that starts and executions are counted over restarts
 * --unix SOCKET      serves there instead
 * --http PORT        serves there instead, on loopback; 0 takes a free one
 * </pre>
 *
 * <p>Where it serves at a socket it says {@code listener at …} on standard error. Wrong arguments end it with exit code 2.
 */
public final class FaultyServerMain {
    private final List<String> rules = new ArrayList<>();
    private Era era = Era.LEGACY;
    private String state = "";
    private String unix = "";
    private String http = "";

    private FaultyServerMain(List<String> arguments) {
        if (arguments.size() % 2 != 0) {
            throw new IllegalArgumentException("'%s' has no value".formatted(arguments.get(arguments.size() - 1)));
        }
        for (int i = 0; i < arguments.size(); i += 2) {
            take(arguments.get(i), arguments.get(i + 1));
        }
    }

    private void take(String option, String value) {
        switch (option) {
            case "--at" -> rules.add(value);
            case "--era" -> era = Era.valueOf(value.toUpperCase(Locale.ROOT));
            case "--state" -> state = value;
            case "--unix" -> unix = value;
            case "--http" -> http = value;
            default ->
                throw new IllegalArgumentException(
                        "there is no option '%s'; there are --at, --era, --state, --unix and --http".formatted(option));
        }
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try {
            new FaultyServerMain(List.of(arguments)).run();
        } catch (IllegalArgumentException wrong) {
            say(String.valueOf(wrong.getMessage()));
            Runtime.getRuntime().halt(2);
        }
    }

    /**
     * The command line that runs this program in a new JVM, with the Java installation and the class path of this
     * process.
     *
     * @param arguments as listed in the class comment
     */
    public static List<String> command(String... arguments) {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                FaultyServerMain.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private void run() throws IOException, InterruptedException {
        var script = FaultScript.parse(rules.toArray(String[]::new));
        var isHttp = !http.isEmpty();
        if (!isHttp) {
            script.requireStreamOnly();
        }
        var host = new Host(
                Runtime.getRuntime()::halt, hook -> Runtime.getRuntime().addShutdownHook(hook));
        var ledger = ExecutionCounter.in(state.isEmpty() ? Files.createTempDirectory("faulty") : Path.of(state));
        var handler = new FaultyServerHandler(script, era, ledger, host);
        var front = new FaultyServerFrontend(handler);
        handler.start(ledger.started(), new Way(System.out, () -> host.exit(1)));
        if (!isHttp && unix.isEmpty()) {
            front.serveLines(System.in, System.out, () -> host.exit(1));
            host.exit(0);
        }
        SocketAddress address = unix.isEmpty()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(http))
                : UnixDomainSocketAddress.of(unix);
        var listener = ConnectionAcceptor.at(address, channel -> front.serve(channel, unix.isEmpty()));
        say("listener at " + ConnectionAcceptor.uri(listener.address(), "/mcp"));
        host.awaitEnd();
    }

    /** Writes to standard error, since standard output may carry the protocol. */
    private static void say(String line) throws IOException {
        OutputStream errors = System.err;
        errors.write((line + "\n").getBytes(UTF_8));
        errors.flush();
    }
}
