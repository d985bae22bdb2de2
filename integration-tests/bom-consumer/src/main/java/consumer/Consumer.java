package consumer;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Provider;
import io.mcpbridge.spi.Settings;
import java.util.Map;

/** Starts a tool server, which logs its version, and prints the names of the providers of each extension point. */
public final class Consumer {

    private Consumer() {}

    /**
     * Starts a server and looks for providers.
     *
     * @param arguments the socket of the server, and the class names of the extension points
     */
    public static void main(String[] arguments) throws ClassNotFoundException, InterruptedException {
        if (!Consumer.class.getModule().isNamed()) {
            throw new IllegalStateException("This program is for the module path.");
        }
        var options = ToolServerOptions.builder().listen("unix", Settings.of(Map.of("path", arguments[0])));
        try (var server = ToolServer.create(options.build())) {
            server.start();
        }
        for (int i = 1; i < arguments.length; i++) {
            System.out.println(arguments[i] + " " + names(Class.forName(arguments[i])));
        }
    }

    private static Object names(Class<?> extensionPoint) {
        return Providers.of(extensionPoint.asSubclass(Provider.class)).names();
    }
}
