package io.mcpbridge.transport.http.listener;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Secret;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells who holds a bearer token, in a time that says nothing about the tokens. Immutable. */
final class Tokens {
    private final List<Holder> holders = new ArrayList<>();

    Tokens(Map<String, Secret> tokens) {
        tokens.forEach((name, token) -> holders.add(new Holder(name, digest(token.reveal()))));
    }

    /** Whether anybody has to show one. */
    boolean areRequired() {
        return !holders.isEmpty();
    }

    /** Who holds the token that an {@code Authorization} header shows. */
    Optional<Principal> holder(String authorization) {
        if (!authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
            return Optional.empty();
        }
        byte[] shown = digest(authorization.substring(7).strip());
        @Nullable Holder found = null;
        for (var each : holders) {
            // All are compared, so that the time does not tell which one came close.
            found = MessageDigest.isEqual(each.digest, shown) ? each : found;
        }
        return Optional.ofNullable(found).map(each -> new Principal(each.name, "token"));
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException everyRuntimeHasIt) {
            throw new IllegalStateException(everyRuntimeHasIt);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // compared by MessageDigest.isEqual alone
    private record Holder(String name, byte[] digest) {}
}
