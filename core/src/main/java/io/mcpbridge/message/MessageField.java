package io.mcpbridge.message;

import io.mcpbridge.message.FieldNumbers.Scope;

/** A field of a message that the bridge reads or changes, identified by its path. */
public enum MessageField {
    /** {@code id} of a request or response. */
    ID(Scope.TOP, "id"),
    /** {@code method} of a request or notification. */
    METHOD(Scope.TOP, "method"),
    /** {@code params} of a request or notification. */
    PARAMS(Scope.TOP, "params"),

    /** {@code params._meta}. */
    META(Scope.PARAMS, "_meta"),
    /** {@code params.name}: the tool or prompt. */
    NAME(Scope.PARAMS, "name"),
    /** {@code params.uri}: the resource. */
    URI(Scope.PARAMS, "uri"),
    /** {@code params.arguments}. */
    ARGUMENTS(Scope.PARAMS, "arguments"),
    /** {@code params.ref} of a completion. */
    REF(Scope.PARAMS, "ref"),
    /** {@code params.cursor} of a list. */
    CURSOR(Scope.PARAMS, "cursor"),
    /** {@code params.taskId}. */
    TASK_ID(Scope.PARAMS, "taskId"),
    /** {@code params.task}: the request of a client of 2025-11-25 to run the call as a task. */
    TASK(Scope.PARAMS, "task"),
    /** {@code params.requestId}: the id of the request that {@code notifications/cancelled} cancels. */
    CANCELLED_ID(Scope.PARAMS, "requestId"),
    /** {@code params.level} of a log message or of {@code logging/setLevel}. */
    LEVEL(Scope.PARAMS, "level"),
    /** {@code params.requestState}: the state that an earlier result asked the client to return. */
    REQUEST_STATE(Scope.PARAMS, "requestState"),
    /** {@code params.inputResponses}: answers to the input requests of an earlier result. */
    INPUT_RESPONSES(Scope.PARAMS, "inputResponses"),
    /** {@code params.progress} of {@code notifications/progress}. */
    PROGRESS(Scope.PARAMS, "progress"),

    /** {@code params._meta.progressToken}; for {@code notifications/progress}, {@code params.progressToken}. */
    PROGRESS_TOKEN(Scope.META, "progressToken"),
    /** {@code io.modelcontextprotocol/protocolVersion} in {@code _meta}. */
    PROTOCOL_VERSION(Scope.META, MetaKeys.PROTOCOL_VERSION),
    /** {@code io.modelcontextprotocol/clientInfo} in {@code _meta}. */
    CLIENT_INFO(Scope.META, MetaKeys.CLIENT_INFO),
    /** {@code io.modelcontextprotocol/clientCapabilities} in {@code _meta}. */
    CLIENT_CAPABILITIES(Scope.META, MetaKeys.CLIENT_CAPABILITIES),
    /** {@code io.modelcontextprotocol/logLevel} in {@code _meta}. */
    LOG_LEVEL(Scope.META, MetaKeys.LOG_LEVEL),
    /** {@code io.modelcontextprotocol/subscriptionId} in {@code _meta}. */
    SUBSCRIPTION_ID(Scope.META, MetaKeys.SUBSCRIPTION_ID),
    /** {@code io.modelcontextprotocol/serverInfo} in {@code _meta}. */
    SERVER_INFO(Scope.META, MetaKeys.SERVER_INFO),
    /** {@code io.mcpbridge/clientId} in {@code _meta}: the id of the client. */
    CLIENT_ID(Scope.META, "io.mcpbridge/clientId"),
    /** {@code io.mcpbridge/idempotencyKey} in {@code _meta}: the same for all attempts of one call. */
    IDEMPOTENCY_KEY(Scope.META, MetaKeys.IDEMPOTENCY_KEY),
    /** {@code io.mcpbridge/idempotencyInstance} in {@code _meta}: the bridge that knows the earlier attempts. */
    IDEMPOTENCY_INSTANCE(Scope.META, MetaKeys.IDEMPOTENCY_INSTANCE),
    /** {@code io.mcpbridge/timeoutMs} in {@code _meta}: how long the sender will still wait, in milliseconds. */
    TIMEOUT_MS(Scope.META, MetaKeys.TIMEOUT_MS),
    /** {@code traceparent} in {@code _meta}. */
    TRACEPARENT(Scope.META, "traceparent"),

    /** {@code result} of a response. */
    RESULT(Scope.TOP, "result"),
    /** {@code result._meta}. */
    RESULT_META(Scope.RESULT, "_meta"),
    /** {@code result.resultType}: {@code complete} or {@code input_required}. */
    RESULT_TYPE(Scope.RESULT, "resultType"),
    /** {@code result.isError}: whether the tool failed. */
    IS_ERROR(Scope.RESULT, "isError"),
    /** {@code result.inputRequests}: the input that the server needs first. */
    INPUT_REQUESTS(Scope.RESULT, "inputRequests"),
    /** {@code result.requestState}: the state that the server wants returned. */
    RESULT_STATE(Scope.RESULT, "requestState"),
    /** {@code result.ttlMs}: how long the result may be cached, in milliseconds. */
    TTL_MS(Scope.RESULT, "ttlMs"),
    /** {@code result.cacheScope}: the clients for which the result may be cached. */
    CACHE_SCOPE(Scope.RESULT, "cacheScope"),
    /** {@code result.structuredContent}. */
    STRUCTURED_CONTENT(Scope.RESULT, "structuredContent"),
    /** {@code result.content}. */
    CONTENT(Scope.RESULT, "content"),
    /** {@code result.nextCursor} of a list. */
    NEXT_CURSOR(Scope.RESULT, "nextCursor"),

    /** {@code error} of a response. */
    ERROR(Scope.TOP, "error"),
    /** {@code error.code}. */
    ERROR_CODE(Scope.ERROR, "code"),
    /** {@code error.message}. */
    ERROR_MESSAGE(Scope.ERROR, "message"),
    /** {@code error.data}. */
    ERROR_DATA(Scope.ERROR, "data");

    private final Scope scope;
    private final String key;

    MessageField(Scope scope, String key) {
        this.scope = scope;
        this.key = key;
    }

    /** The slot of this field in {@link Spans}. */
    @SuppressWarnings("EnumOrdinal") // The number indexes an array and is never stored.
    int slot() {
        return ordinal();
    }

    /** The object that contains this field. */
    Scope scope() {
        return scope;
    }

    /** The key of this field in its object. */
    String key() {
        return key;
    }
}
