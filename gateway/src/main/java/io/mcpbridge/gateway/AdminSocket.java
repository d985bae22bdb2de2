package io.mcpbridge.gateway;

import java.nio.file.Path;

/** The path of the administrative socket of a daemon. */
public final class AdminSocket {
    private static final String CLIENTS = "bridge.sock";
    private static final String ADMIN = "admin.sock";

    private AdminSocket() {}

    /**
     * The path beside the clients' socket: {@code admin.sock} beside {@code bridge.sock}, and {@code tool-admin.sock}
     * beside {@code tool.sock}, so that two daemons can share a folder.
     */
    public static Path beside(Path clientSocket) {
        var name = String.valueOf(clientSocket.getFileName());
        if (name.equals(CLIENTS)) {
            return clientSocket.resolveSibling(ADMIN);
        }
        var stem = name.endsWith(".sock") ? name.substring(0, name.length() - ".sock".length()) : name;
        return clientSocket.resolveSibling(stem + "-" + ADMIN);
    }
}
