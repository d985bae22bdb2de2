/** Support for authors of plug-ins: line framing, private files, child processes and known secrets. */
module io.mcpbridge.support {
    requires transitive io.mcpbridge.core;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.files;
    exports io.mcpbridge.process;
    exports io.mcpbridge.secret;
    exports io.mcpbridge.stream;
}
