package io.mcpbridge.transport.unix;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A process that takes part in races for a socket: on each line {@code start} it tries to listen and says {@code won} or
 * why it lost; on {@code stop} it releases what it won. It ends with its standard input.
 */
final class RacingProgram {

    private RacingProgram() {}

    public static void main(String[] arguments) throws IOException {
        var settings = UnixListenerSettings.of(Path.of(arguments[0]));
        var environment = new TestEnvironment().get();
        var listener = new UnixListener(settings, environment);
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        for (var command = commands.readLine(); command != null; command = commands.readLine()) {
            if (command.equals("start")) {
                listener = new UnixListener(settings, environment);
                System.out.println(outcome(listener));
            } else {
                listener.close();
                System.out.println("stopped");
            }
        }
        System.exit(0);
    }

    private static String outcome(UnixListener listener) {
        try {
            listener.start(new EchoAcceptor());
            return "won";
        } catch (RuntimeException lost) {
            return "lost: " + lost.getMessage();
        }
    }
}
