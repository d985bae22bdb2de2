package consumer;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.spi.Provider;

/** Prints the names of the providers of each extension point, one extension point a line. */
public final class Consumer {

    private Consumer() {}

    /**
     * Looks for providers.
     *
     * @param arguments the class names of the extension points
     */
    public static void main(String[] arguments) throws ClassNotFoundException {
        if (!Consumer.class.getModule().isNamed()) {
            throw new IllegalStateException("This program is for the module path.");
        }
        for (String argument : arguments) {
            System.out.println(argument + " " + names(Class.forName(argument)));
        }
    }

    private static Object names(Class<?> extensionPoint) {
        return Providers.of(extensionPoint.asSubclass(Provider.class)).names();
    }
}
