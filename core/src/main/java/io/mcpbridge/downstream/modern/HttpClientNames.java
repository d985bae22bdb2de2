package io.mcpbridge.downstream.modern;

import io.mcpbridge.call.Principal;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Our names for modern clients over HTTP, which have neither a connection nor a session. Any thread.
 *
 * <p>Requests of one user that bring the same client id and the same {@code clientInfo} are of one client, since nothing
 * else tells them apart. That holds for users who proved nothing too: whoever must not hear what a server asks another
 * one brings a token or a client id.
 */
final class HttpClientNames {
    /** So many bytes of a digest that nobody finds a second client with the same name. */
    private static final int LENGTH = 16;

    private HttpClientNames() {}

    static String of(Request request, Principal principal) {
        var clientId = request.text(Part.CLIENT_ID).orElse("");
        var info = request.raw(Part.CLIENT_INFO).orElse("");
        return "http-" + digest(String.join("\n", principal.proof(), principal.name(), clientId, info));
    }

    private static String digest(String text) {
        try {
            var bytes = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(bytes, 0, LENGTH);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
