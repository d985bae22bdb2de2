/** Streamable HTTP of both eras and HTTP+SSE. */
module io.mcpbridge.transport.http {
    requires transitive io.mcpbridge.core;
    requires io.mcpbridge.support;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.transport.http.client;
    exports io.mcpbridge.transport.http.listener;

    provides io.mcpbridge.spi.ListenerProvider with
            io.mcpbridge.transport.http.listener.HttpListenerProvider;
    provides io.mcpbridge.spi.TransportProvider with
            io.mcpbridge.transport.http.client.HttpTransportProvider,
            io.mcpbridge.transport.http.client.SseTransportProvider;
}
