package io.mcpbridge.routing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.translate.RequestDigest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The digests of requests, remembered by how they were written, since clients that ask the same mostly write the same.
 * Any thread.
 */
public final class RequestDigests {
    private static final int MOST = 256;
    private static final int LONGEST = 4_096;

    private final Map<String, String> known = new ConcurrentHashMap<>();

    public RequestDigests() {}

    /** The same text for requests that ask the same, however they are written. */
    public String of(Request request) {
        if (request.length() > LONGEST || request.has(Part.REQUEST_STATE) || request.has(Part.INPUT_RESPONSES)) {
            return RequestDigest.of(request);
        }
        var written = written(request);
        var digest = known.get(written);
        if (digest != null) {
            return digest;
        }
        var fresh = RequestDigest.of(request);
        if (known.size() >= MOST) {
            known.clear();
        }
        known.put(written, fresh);
        return fresh;
    }

    /** The method and the params byte for byte, but for what stands in {@code _meta}. */
    private static String written(Request request) {
        int start = request.start(Part.PARAMS);
        if (start < 0) {
            return request.method();
        }
        int end = request.end(Part.PARAMS);
        int metaStart = request.has(Part.META) ? request.start(Part.META) : end;
        int metaEnd = request.has(Part.META) ? request.end(Part.META) : end;
        var bytes = new byte[metaStart - start + end - metaEnd];
        var all = request.bytes();
        all.get(start, bytes, 0, metaStart - start);
        all.get(metaEnd, bytes, metaStart - start, end - metaEnd);
        return request.method() + " " + new String(bytes, ISO_8859_1);
    }
}
