package io.mcpbridge.call;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Request;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One key for all attempts of a call, by which a server that keeps outcomes runs it once. Any thread may use it.
 *
 * <p>The engine makes one for each call; the session that sends an attempt records which server got it.
 */
public final class IdempotencyKey {
    /** Long enough that no two clients of a bridge have the same by chance or by guessing. */
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

    /** The key that {@code request} carries, made unique for {@code client}; else a new one. */
    public static IdempotencyKey of(Request request, Principal client, RandomGenerator random) {
        var given = request.text(MessageField.IDEMPOTENCY_KEY);
        return given.map(key -> new IdempotencyKey(0, 0, unique(client, key)))
                .orElseGet(() -> new IdempotencyKey(
                        (random.nextLong() & ~VERSION) | RANDOM_VERSION,
                        (random.nextLong() & ~VARIANT) | USUAL_VARIANT,
                        null));
    }

    /** A UUID as it came; of any other key one that no other user of this bridge has. */
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

    /** Whether the client has sent it, rather than us making it. */
    public boolean isGiven() {
        return given != null;
    }

    /** Whether the latest attempt went to a server that keeps outcomes by such keys. */
    public boolean isAgreed() {
        return !keeper.equals(NO_KEEPER);
    }

    /** The next attempt is made only because of the key, so it must reach the server that had it before. */
    public void bind() {
        isBound = true;
    }

    /** Whether the attempt is made only because of the key. */
    public boolean isBound() {
        return isBound;
    }

    /**
     * An attempt goes to this keeper of outcomes now, empty for none; false if it must not, since only another one knows
     * the results of the earlier attempts.
     */
    public boolean sendTo(String newKeeper) {
        if (isBound && !keeper.equals(newKeeper)) {
            return false;
        }
        keeper = newKeeper;
        return true;
    }
}
