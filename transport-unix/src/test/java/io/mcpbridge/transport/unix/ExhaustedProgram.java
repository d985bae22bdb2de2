package io.mcpbridge.transport.unix;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that serves echoes and, on the line {@code exhaust}, takes every file descriptor that is left; on {@code
 * free} it gives them back. It ends with its standard input.
 */
final class ExhaustedProgram {

    private ExhaustedProgram() {}

    public static void main(String[] arguments) throws IOException {
        var taken = new ArrayList<Closeable>();
        try (var listener =
                new UnixListener(UnixListenerSettings.of(Path.of(arguments[0])), new TestEnvironment().get())) {
            listener.start(new EchoAcceptor());
            System.out.println("ready");
            var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (var command = commands.readLine(); command != null; command = commands.readLine()) {
                if (command.equals("exhaust")) {
                    exhaust(taken);
                    System.out.println("exhausted");
                } else {
                    for (var each : taken) {
                        each.close();
                    }
                    System.out.println("freed");
                }
            }
        }
        System.exit(0);
    }

    private static void exhaust(List<Closeable> taken) {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException noneLeft) {
            // That is what it is for.
        }
    }
}
