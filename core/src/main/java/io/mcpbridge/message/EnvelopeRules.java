package io.mcpbridge.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Checks the parts of a message against the rules of JSON-RPC; each method rejects what they forbid. */
final class EnvelopeRules {

    private static final NameTable METHODS = new NameTable(Methods.ALL);
    private static final byte[] VERSION = {'"', '2', '.', '0', '"'};

    private final byte[] json;
    private final Spans spans;

    EnvelopeRules(byte[] json, Spans spans) {
        this.json = json;
        this.spans = spans;
    }

    /** The id in a slot of its own, which must be a string or an integer. */
    MessageId id() {
        int start = spans.start(Part.ID.slot());
        int end = spans.end(Part.ID.slot());
        boolean isString = json[start] == '"';
        if (!isString && !isInteger(start, end)) {
            throw Malformed.value("id", json, start, end, "a string or an integer");
        }
        requireLength(Part.ID, 128, "maxIdLength");
        var id = MessageId.ofToken(Arrays.copyOfRange(json, start, end));
        if (isString && !id.isWellFormed()) {
            throw Malformed.value("id", json, start, end, "free of surrogates that stand alone");
        }
        return id;
    }

    /** The method of a request or notification, whose other parts fit. */
    String method() {
        if (spans.has(Part.RESULT.slot()) || spans.has(Part.ERROR.slot())) {
            throw Malformed.request("The message has 'method' and also 'result' or 'error'; a message has one of them");
        }
        requireObject(Part.META);
        requireParams();
        requireLength(Part.NAME, 256, "maxNameLength");
        return readMethod();
    }

    /** The id of a response, whose other parts fit; null in an error that names no request. */
    @Nullable
    MessageId responseId() {
        boolean hasResult = spans.has(Part.RESULT.slot());
        boolean hasError = spans.has(Part.ERROR.slot());
        if (hasResult == hasError) {
            throw Malformed.request(
                    "The message has no 'method', and of 'result' and 'error' it has %s; it must have one"
                            .formatted(hasResult ? "both" : "neither"));
        }
        if (spans.has(Part.PARAMS.slot())) {
            throw Malformed.request("The response has 'params', which only a request or a notification may have");
        }
        requireObject(Part.RESULT_META);
        if (hasError) {
            requireError();
        }
        return hasError ? idOfError() : idOfResult();
    }

    private MessageId idOfResult() {
        if (!spans.has(Part.ID.slot())) {
            throw Malformed.request("The response has a 'result' but no 'id'; it must name its request");
        }
        return id();
    }

    /** JSON-RPC has {@code null} where the id could not be read, MCP has nothing; both are understood. */
    private @Nullable MessageId idOfError() {
        return spans.has(Part.ID.slot()) && json[spans.start(Part.ID.slot())] != 'n' ? id() : null;
    }

    void requireVersion() {
        int start = spans.start(FieldSlots.JSONRPC);
        int end = spans.end(FieldSlots.JSONRPC);
        if (start == 0) {
            throw Malformed.request("The message has no 'jsonrpc'; it must have \"jsonrpc\":\"2.0\"");
        }
        boolean isPlain = Arrays.equals(json, start, end, VERSION, 0, VERSION.length);
        if (!isPlain
                && (json[start] != '"'
                        || !JsonStrings.decode(json, start + 1, end - 1).equals("2.0"))) {
            throw Malformed.value("jsonrpc", json, start, end, "\"2.0\"");
        }
    }

    private String readMethod() {
        int start = spans.start(Part.METHOD.slot());
        int end = spans.end(Part.METHOD.slot());
        if (json[start] != '"') {
            throw Malformed.value("method", json, start, end, "a string");
        }
        int known = METHODS.find(json, start + 1, end - 1);
        if (known != NameTable.NOT_FOUND) {
            return Methods.ALL.get(known);
        }
        requireLength(Part.METHOD, 128, "maxMethodLength");
        String method = JsonStrings.decode(json, start + 1, end - 1);
        if (!JsonStrings.isWellFormed(method)) {
            throw Malformed.value("method", json, start, end, "free of surrogates that stand alone");
        }
        return method;
    }

    private void requireParams() {
        int slot = Part.PARAMS.slot();
        if (spans.has(slot) && json[spans.start(slot)] != '{' && json[spans.start(slot)] != '[') {
            throw Malformed.value("params", json, spans.start(slot), spans.end(slot), "an object or an array");
        }
    }

    private void requireObject(Part part) {
        int slot = part.slot();
        if (spans.has(slot) && json[spans.start(slot)] != '{') {
            throw Malformed.value(part.key(), json, spans.start(slot), spans.end(slot), "an object");
        }
    }

    private void requireError() {
        requireObject(Part.ERROR);
        int code = Part.ERROR_CODE.slot();
        if (!spans.has(code) || !isInteger(spans.start(code), spans.end(code))) {
            throw Malformed.value(
                    "error",
                    json,
                    spans.start(Part.ERROR.slot()),
                    spans.end(Part.ERROR.slot()),
                    "an object with an integer 'code'");
        }
    }

    private boolean isInteger(int start, int end) {
        for (int at = json[start] == '-' ? start + 1 : start; at < end; at++) {
            if (json[at] < '0' || json[at] > '9') {
                return false;
            }
        }
        return true;
    }

    /** Measures a string without its quotes, anything else as it is. */
    private void requireLength(Part part, int limit, String limitName) {
        int start = spans.start(part.slot());
        int end = spans.end(part.slot());
        int length = end > start && json[start] == '"' ? end - start - 2 : end - start;
        if (length > limit) {
            var what = "'%s' is '%s' with %d bytes".formatted(part.key(), Malformed.excerpt(json, start, end), length);
            throw Malformed.limit(what, limitName, limit);
        }
    }
}
