package io.mcpbridge.message;

import java.util.Optional;

/**
 * The headers of a modern HTTP request that repeat parts of its body, so that proxies can route it without parsing.
 * Stateless. The values are not encoded; {@link HeaderText} encodes and decodes them.
 */
public final class MirroredHeaders {
    public static final String VERSION = "MCP-Protocol-Version";
    public static final String METHOD = "Mcp-Method";
    public static final String NAME = "Mcp-Name";

    private MirroredHeaders() {}

    /** The value of {@link #METHOD}; empty for a response. */
    public static Optional<String> method(Message message) {
        if (message instanceof Request request) {
            return Optional.of(request.method());
        }
        return message instanceof Notification notification ? Optional.of(notification.method()) : Optional.empty();
    }

    /**
     * The value of {@link #NAME}: the tool, prompt, resource or task that the request names; empty for other methods.
     */
    public static Optional<String> name(Message message) {
        return message instanceof Request request ? part(request.method()).flatMap(request::text) : Optional.empty();
    }

    private static Optional<MessageField> part(String method) {
        return switch (method) {
            case Methods.TOOLS_CALL, Methods.PROMPTS_GET -> Optional.of(MessageField.NAME);
            case Methods.RESOURCES_READ -> Optional.of(MessageField.URI);
            case Methods.TASKS_GET, Methods.TASKS_UPDATE, Methods.TASKS_CANCEL -> Optional.of(MessageField.TASK_ID);
            default -> Optional.empty();
        };
    }
}
