package io.mcpbridge.call;

import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Request;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What goes with an attempt beside the caller's own words: texts in {@code params._meta}, and headers where the
 * transport has them. Immutable.
 */
public final class Additions {
    public static final Additions NONE = new Additions(Map.of(), Map.of());

    private final Map<String, String> meta;
    private final Map<String, String> headers;

    private Additions(Map<String, String> meta, Map<String, String> headers) {
        this.meta = meta;
        this.headers = headers;
    }

    /** Texts by their keys in {@code _meta}, and headers by their names. */
    public static Additions of(Map<String, String> meta, Map<String, String> headers) {
        return meta.isEmpty() && headers.isEmpty() ? NONE : new Additions(Map.copyOf(meta), Map.copyOf(headers));
    }

    /** Both; where a name is in both, {@code other} counts. */
    public Additions and(Additions other) {
        if (this == NONE) {
            return other;
        }
        return other == NONE ? this : new Additions(joined(meta, other.meta), joined(headers, other.headers));
    }

    /** The request with what goes into {@code _meta}; as it was where its params can have none. */
    public Request in(Request request) {
        if (meta.isEmpty()) {
            return request;
        }
        try {
            var splice = request.splice();
            meta.forEach((key, text) -> splice.putMeta(key, JsonText.quote(text)));
            return (Request) splice.done();
        } catch (IllegalStateException homeless) {
            // Whoever only watches must not cost a call its sending.
            return request;
        }
    }

    /** The headers with those that are added. */
    public Metadata in(Metadata given) {
        var all = given;
        for (var header : headers.entrySet()) {
            all = all.with(header.getKey(), header.getValue());
        }
        return all;
    }

    private static Map<String, String> joined(Map<String, String> one, Map<String, String> other) {
        var joined = new LinkedHashMap<>(one);
        joined.putAll(other);
        return Map.copyOf(joined);
    }
}
