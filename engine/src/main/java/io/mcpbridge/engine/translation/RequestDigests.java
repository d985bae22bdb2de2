package io.mcpbridge.engine.translation;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.CanonicalJson;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Request;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Computes digests that are equal for requests with equal methods and params, in any JSON form and in any round of a
 * call. Caches them by the raw text of requests, since equal requests mostly have equal texts. Any thread.
 */
public final class RequestDigests {
    private static final int MOST = 256;
    private static final int LONGEST = 4_096;

    /** The params that differ from round to round. */
    private static final List<String> DIFFER = List.of("_meta", "requestState", "inputResponses");

    private final Map<Written, String> known = new ConcurrentHashMap<>();

    public RequestDigests() {}

    /** The same text for requests that ask the same, however they are written. */
    public String of(Request request) {
        if (request.length() > LONGEST
                || request.has(MessageField.REQUEST_STATE)
                || request.has(MessageField.INPUT_RESPONSES)) {
            return compute(request);
        }
        var written = Written.of(request);
        var digest = known.get(written);
        if (digest != null) {
            return digest;
        }
        var fresh = compute(request);
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(written, fresh);
        return fresh;
    }

    /** The same without remembering it. */
    static String compute(Request request) {
        return CanonicalJson.EXACT.sha256(Arrays.asList(request.method(), params(request)));
    }

    private static @Nullable Object params(Request request) {
        try {
            var params = JsonCodec.readPlain(request.raw(MessageField.PARAMS).orElse("{}"));
            if (params instanceof Map<?, ?> members) {
                var same = new LinkedHashMap<Object, @Nullable Object>(members);
                DIFFER.forEach(same::remove);
                return same;
            }
            return params;
        } catch (ProtocolException odd) {
            // Such as duplicate keys: the server may accept them, and a digest needs no reading.
            return request.splice()
                    .remove(MessageField.META)
                    .remove(MessageField.REQUEST_STATE)
                    .remove(MessageField.INPUT_RESPONSES)
                    .done()
                    .raw(MessageField.PARAMS)
                    .orElse("{}");
        }
    }

    /** A method, and the params byte for byte without {@code _meta}. */
    private static final class Written {
        private static final byte[] NOTHING = {};

        private final String method;
        private final byte[] params;
        private final int hash;

        private Written(String method, byte[] params) {
            this.method = method;
            this.params = params;
            // Ten times as fast as the hash of an array. The cache is small, so the hash need not resist attacks.
            var sum = new CRC32C();
            sum.update(params);
            this.hash = 31 * method.hashCode() + (int) sum.getValue();
        }

        private static Written of(Request request) {
            int start = request.start(MessageField.PARAMS);
            if (start < 0) {
                return new Written(request.method(), NOTHING);
            }
            int end = request.end(MessageField.PARAMS);
            int metaStart = request.has(MessageField.META) ? request.start(MessageField.META) : end;
            int metaEnd = request.has(MessageField.META) ? request.end(MessageField.META) : end;
            var bytes = new byte[metaStart - start + end - metaEnd];
            var all = request.bytes();
            all.get(start, bytes, 0, metaStart - start);
            all.get(metaEnd, bytes, metaStart - start, end - metaEnd);
            return new Written(request.method(), bytes);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Written that && method.equals(that.method) && Arrays.equals(params, that.params);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
