package io.mcpbridge.spi;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The texts that the configuration took from variables and files, so that logs and records can leave them
 * out. Any thread may use it.
 *
 * <p>Short texts are not kept, since they may be a part of any word. Those of an earlier configuration stay: they may be
 * in use still.
 */
public final class KnownSecrets {
    private static final int SHORTEST = 8;
    private static final int MOST = 1_000;

    private final AtomicReference<List<String>> texts = new AtomicReference<>(List.of());

    /** Takes more of them; where that makes more than a thousand, those that are known longest are forgotten. */
    public void learn(Collection<Secret> secrets) {
        texts.updateAndGet(known -> Stream.concat(secrets.stream().map(Secret::reveal), known.stream())
                .filter(each -> each.length() >= SHORTEST)
                .distinct()
                .limit(MOST)
                .collect(Collectors.toUnmodifiableList()));
    }

    /** All of them; only for looking for them, never to be shown. */
    public List<String> texts() {
        return Objects.requireNonNull(texts.get());
    }

    /** Tells the number alone. */
    @Override
    public String toString() {
        return texts().size() + " secrets";
    }
}
