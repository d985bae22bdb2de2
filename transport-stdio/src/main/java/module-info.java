/** Transports over child processes, and a listener on the standard streams. */
module io.mcpbridge.transport.stdio {
    requires transitive io.mcpbridge.core;
    requires transitive io.mcpbridge.support;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.transport.stdio;

    provides io.mcpbridge.spi.ListenerProvider with
            io.mcpbridge.transport.stdio.StdioListener.StdioListenerProvider;
    provides io.mcpbridge.spi.TransportProvider with
            io.mcpbridge.transport.stdio.StdioTransport.StdioTransportProvider;
}
