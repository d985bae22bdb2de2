package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** The members that the data of a record may have, in the order of RFC 8785. */
@SuppressWarnings("ImmutableEnumChecker") // Nobody writes into the arrays.
enum Member {
    ARGUMENTS("arguments"),
    ARGUMENTS_HASH("argumentsHash"),
    ARGUMENTS_SIZE("argumentsSize"),
    ATTEMPTS("attempts"),
    CLIENT_ID("clientId"),
    CODE("code"),
    CONTINUES("continues"),
    CORRELATION_ID("correlationId"),
    DELIVERY("delivery"),
    DETAILS("details"),
    DURATION_MS("durationMs"),
    ERROR("error"),
    ERROR_HASH("errorHash"),
    ERROR_SIZE("errorSize"),
    IN_DOUBT("inDoubt"),
    KIND("kind"),
    LEVEL("level"),
    METHOD("method"),
    MONOTONIC_NANOS("monotonicNanos"),
    OUTCOME("outcome"),
    PRINCIPAL("principal"),
    REASON("reason"),
    RESULT("result"),
    RESULT_HASH("resultHash"),
    RESULT_SIZE("resultSize"),
    SANDBOX("sandbox"),
    SCHEMA_HASH("schemaHash"),
    SERVER("server"),
    TOOL("tool"),
    TRACE_ID("traceId"),
    TRUNCATED("truncated");

    private final String key;
    private final byte[] first;
    private final byte[] next;

    Member(String key) {
        this.key = key;
        this.first = "\"%s\":".formatted(key).getBytes(ISO_8859_1);
        this.next = ",\"%s\":".formatted(key).getBytes(ISO_8859_1);
    }

    String key() {
        return key;
    }

    /** What stands before its value, where no other member comes before it. */
    byte[] first() {
        return first;
    }

    /** What stands between the member before it and its value. */
    byte[] next() {
        return next;
    }
}
