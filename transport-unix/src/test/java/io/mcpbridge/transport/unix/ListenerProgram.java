package io.mcpbridge.transport.unix;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/** A process that serves echoes on a socket until its standard input ends. */
final class ListenerProgram {

    private ListenerProgram() {}

    public static void main(String[] arguments) throws IOException {
        var settings = UnixListenerSettings.of(Path.of(arguments[0]));
        try (var listener = new UnixListener(settings, new TestEnvironment().get())) {
            listener.start(new EchoAcceptor());
            System.out.println("ready");
            System.in.transferTo(OutputStream.nullOutputStream());
        }
        System.exit(0);
    }
}
