/** Unix sockets with peer credentials. */
module io.mcpbridge.transport.unix {
    requires transitive io.mcpbridge.core;
    requires transitive io.mcpbridge.support;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.transport.unix;

    provides io.mcpbridge.spi.ListenerProvider with
            io.mcpbridge.transport.unix.UnixListenerProvider;
    provides io.mcpbridge.spi.TransportProvider with
            io.mcpbridge.transport.unix.UnixTransportProvider;
}
