package io.mcpbridge.upstream.lists;

import io.mcpbridge.config.ListLimits;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import java.math.BigDecimal;
import java.time.Duration;

/**
 * How long what a server listed holds, and for whom. Only the modern era says; else it holds until the server says that
 * it has changed.
 *
 * @param span for how long from now on
 * @param isForAll whether every user may have it; else the one alone who asked
 */
record Validity(Duration span, boolean isForAll) {
    static final Validity FOREVER = new Validity(Duration.ofDays(36_500), true);

    private static final BigDecimal LONGEST =
            BigDecimal.valueOf(Duration.ofHours(24).toMillis());
    private static final String PUBLIC = "public";

    /** The same with a further page, which may hold shorter or for fewer. What it leaves open holds for nobody else. */
    Validity with(Response page) {
        var millis = page.raw(Part.TTL_MS)
                .flatMap(NumberText::read)
                .map(said -> said.max(BigDecimal.ZERO).min(LONGEST).longValue())
                .orElse(0L);
        var said = Duration.ofMillis(millis);
        var isPublic = page.text(Part.CACHE_SCOPE).filter(PUBLIC::equals).isPresent();
        return new Validity(said.compareTo(span) < 0 ? said : span, isForAll && isPublic);
    }

    /** The same, but no longer than an operator wants it. */
    Validity atMost(ListLimits limits) {
        return limits.expires() && limits.ttl().compareTo(span) < 0 ? new Validity(limits.ttl(), isForAll) : this;
    }
}
