package io.mcpbridge.message;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Checks the fields of a message against the rules of JSON-RPC. Each method throws a {@code ProtocolException} for a
 * violation.
 */
final class EnvelopeRules {

    private static final NameTable METHODS = new NameTable(Methods.ALL);
    private static final byte[] VERSION = {'"', '2', '.', '0', '"'};

    private final byte[] json;
    private final Spans spans;

    EnvelopeRules(byte[] json, Spans spans) {
        this.json = json;
        this.spans = spans;
    }

    /** Returns the id, which must be a string or an integer. */
    MessageId id() {
        int start = spans.start(MessageField.ID.slot());
        int end = spans.end(MessageField.ID.slot());
        boolean isString = json[start] == '"';
        if (!isString && !isInteger(start, end)) {
            throw ProtocolErrors.value("id", json, start, end, "a string or an integer");
        }
        requireLength(MessageField.ID, 128, "maxIdLength");
        var id = MessageId.ofToken(Arrays.copyOfRange(json, start, end));
        if (isString && !id.isWellFormed()) {
            throw ProtocolErrors.value("id", json, start, end, "free of surrogates that stand alone");
        }
        return id;
    }

    /** Checks the fields of a request or notification and returns its method. */
    String method() {
        if (spans.has(MessageField.RESULT.slot()) || spans.has(MessageField.ERROR.slot())) {
            throw ProtocolErrors.request(
                    "The message has 'method' and also 'result' or 'error'; a message has one of them");
        }
        requireObject(MessageField.META);
        requireParams();
        requireLength(MessageField.NAME, 256, "maxNameLength");
        return readMethod();
    }

    /** Checks the fields of a response and returns its id; null if an error names no request. */
    @Nullable
    MessageId responseId() {
        boolean hasResult = spans.has(MessageField.RESULT.slot());
        boolean hasError = spans.has(MessageField.ERROR.slot());
        if (hasResult == hasError) {
            throw ProtocolErrors.request(
                    "The message has no 'method', and of 'result' and 'error' it has %s; it must have one"
                            .formatted(hasResult ? "both" : "neither"));
        }
        if (spans.has(MessageField.PARAMS.slot())) {
            throw ProtocolErrors.request("The response has 'params', which only a request or a notification may have");
        }
        requireObject(MessageField.RESULT_META);
        if (hasError) {
            requireError();
        }
        return hasError ? idOfError() : idOfResult();
    }

    private MessageId idOfResult() {
        if (!spans.has(MessageField.ID.slot())) {
            throw ProtocolErrors.request("The response has a 'result' but no 'id'; it must name its request");
        }
        return id();
    }

    /**
     * If the id of a request could not be read, the error has the id {@code null} in JSON-RPC and no id in MCP. Both
     * are accepted.
     */
    private @Nullable MessageId idOfError() {
        return spans.has(MessageField.ID.slot()) && json[spans.start(MessageField.ID.slot())] != 'n' ? id() : null;
    }

    void requireVersion() {
        int start = spans.start(FieldNumbers.JSONRPC);
        int end = spans.end(FieldNumbers.JSONRPC);
        if (start == 0) {
            throw ProtocolErrors.request("The message has no 'jsonrpc'; it must have \"jsonrpc\":\"2.0\"");
        }
        boolean isPlain = Arrays.equals(json, start, end, VERSION, 0, VERSION.length);
        if (!isPlain
                && (json[start] != '"'
                        || !JsonStrings.decode(json, start + 1, end - 1).equals("2.0"))) {
            throw ProtocolErrors.value("jsonrpc", json, start, end, "\"2.0\"");
        }
    }

    private String readMethod() {
        int start = spans.start(MessageField.METHOD.slot());
        int end = spans.end(MessageField.METHOD.slot());
        if (json[start] != '"') {
            throw ProtocolErrors.value("method", json, start, end, "a string");
        }
        int known = METHODS.find(json, start + 1, end - 1);
        if (known != NameTable.NOT_FOUND) {
            return Methods.ALL.get(known);
        }
        requireLength(MessageField.METHOD, 128, "maxMethodLength");
        String method = JsonStrings.decode(json, start + 1, end - 1);
        if (!JsonStrings.isWellFormed(method)) {
            throw ProtocolErrors.value("method", json, start, end, "free of surrogates that stand alone");
        }
        return method;
    }

    private void requireParams() {
        int slot = MessageField.PARAMS.slot();
        if (spans.has(slot) && json[spans.start(slot)] != '{' && json[spans.start(slot)] != '[') {
            throw ProtocolErrors.value("params", json, spans.start(slot), spans.end(slot), "an object or an array");
        }
    }

    private void requireObject(MessageField part) {
        int slot = part.slot();
        if (spans.has(slot) && json[spans.start(slot)] != '{') {
            throw ProtocolErrors.value(part.key(), json, spans.start(slot), spans.end(slot), "an object");
        }
    }

    private void requireError() {
        requireObject(MessageField.ERROR);
        int code = MessageField.ERROR_CODE.slot();
        if (!spans.has(code) || !isInteger(spans.start(code), spans.end(code))) {
            throw ProtocolErrors.value(
                    "error",
                    json,
                    spans.start(MessageField.ERROR.slot()),
                    spans.end(MessageField.ERROR.slot()),
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

    /** Checks the length in bytes: of a string without its quotes, of any other value as written. */
    private void requireLength(MessageField part, int limit, String limitName) {
        int start = spans.start(part.slot());
        int end = spans.end(part.slot());
        int length = end > start && json[start] == '"' ? end - start - 2 : end - start;
        if (length > limit) {
            var what = "'%s' is '%s' with %d bytes"
                    .formatted(part.key(), ProtocolErrors.excerpt(json, start, end), length);
            throw ProtocolErrors.limit(what, limitName, limit);
        }
    }
}
