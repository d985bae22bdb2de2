/** Support for authors of plug-ins: line framing, Unix sockets, private files and child processes. */
module io.mcpbridge.support {
    requires transitive io.mcpbridge.core;
    requires jdk.net;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.files;
    exports io.mcpbridge.process;
    exports io.mcpbridge.stream;
}
