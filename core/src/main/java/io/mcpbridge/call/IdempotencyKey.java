package io.mcpbridge.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Request;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency key of all attempts of a call; a server that stores outcomes runs the call once per key. Any thread
 * may use it.
 *
 * <p>The engine creates one for each call; the session that sends an attempt records which server received it.
 */
public final class IdempotencyKey {
    /** A UUID: two clients of a bridge have the same key neither by chance nor by guessing. */
    private static final Pattern UNIQUE = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private static final long VERSION = 0xF000L;
    private static final long RANDOM_VERSION = 0x4000L;
    private static final long VARIANT = 0xC000000000000000L;
    private static final long USUAL_VARIANT = 0x8000000000000000L;
    private static final String NO_KEEPER = "";

    private final long high;
    private final long low;
    private final @Nullable String given;
    private volatile String keeper = NO_KEEPER;
    private volatile boolean isBound;

    private IdempotencyKey(long high, long low, @Nullable String given) {
        this.high = high;
        this.low = low;
        this.given = given;
    }

    /** The key in {@code request}, made unique for {@code client}; a new key if the request has none. */
    public static IdempotencyKey of(Request request, Principal client, RandomGenerator random) {
        var given = request.text(MessageField.IDEMPOTENCY_KEY);
        return given.map(key -> new IdempotencyKey(0, 0, unique(client, key)))
                .orElseGet(() -> new IdempotencyKey(
                        (random.nextLong() & ~VERSION) | RANDOM_VERSION,
                        (random.nextLong() & ~VARIANT) | USUAL_VARIANT,
                        null));
    }

    /** Keeps a UUID unchanged; derives from any other key one that no other user of this bridge has. */
    private static String unique(Principal principal, String key) {
        if (UNIQUE.matcher(key).matches()) {
            return key;
        }
        var owned = "%s %s %s".formatted(principal.proof(), principal.name(), key);
        return UUID.nameUUIDFromBytes(owned.getBytes(UTF_8)).toString();
    }

    /** A UUID. */
    public String text() {
        var text = given;
        return text != null ? text : new UUID(high, low).toString();
    }

    /** Whether the client sent the key; false if the bridge generated it. */
    public boolean isGiven() {
        return given != null;
    }

    /** Whether the latest attempt went to a server that stores outcomes by such keys. */
    public boolean isAgreed() {
        return !keeper.equals(NO_KEEPER);
    }

    /** Binds the next attempt to the server that has the key, because only the key makes that attempt safe. */
    public void bind() {
        isBound = true;
    }

    /** Whether only the key makes the next attempt safe. */
    public boolean isBound() {
        return isBound;
    }

    /**
     * Records that an attempt goes to {@code newKeeper}, the server that stores outcomes; empty for none. Returns false
     * if the attempt must not go there, because another server has the results of the earlier attempts.
     */
    public boolean sendTo(String newKeeper) {
        if (isBound && !keeper.equals(newKeeper)) {
            return false;
        }
        keeper = newKeeper;
        return true;
    }
}
