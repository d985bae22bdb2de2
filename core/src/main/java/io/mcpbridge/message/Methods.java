package io.mcpbridge.message;

import java.util.List;
import java.util.Set;

/** The methods of all revisions of the Model Context Protocol. */
public final class Methods {

    public static final String INITIALIZE = "initialize";
    public static final String PING = "ping";
    public static final String SERVER_DISCOVER = "server/discover";

    public static final String TOOLS_LIST = "tools/list";
    public static final String TOOLS_CALL = "tools/call";

    public static final String RESOURCES_LIST = "resources/list";
    public static final String RESOURCES_TEMPLATES_LIST = "resources/templates/list";
    public static final String RESOURCES_READ = "resources/read";
    public static final String RESOURCES_SUBSCRIBE = "resources/subscribe";
    public static final String RESOURCES_UNSUBSCRIBE = "resources/unsubscribe";

    public static final String PROMPTS_LIST = "prompts/list";
    public static final String PROMPTS_GET = "prompts/get";

    public static final String COMPLETION_COMPLETE = "completion/complete";
    public static final String LOGGING_SET_LEVEL = "logging/setLevel";
    public static final String SUBSCRIPTIONS_LISTEN = "subscriptions/listen";

    public static final String SAMPLING_CREATE_MESSAGE = "sampling/createMessage";
    public static final String ELICITATION_CREATE = "elicitation/create";
    public static final String ROOTS_LIST = "roots/list";

    public static final String TASKS_GET = "tasks/get";
    public static final String TASKS_LIST = "tasks/list";
    public static final String TASKS_RESULT = "tasks/result";
    public static final String TASKS_CANCEL = "tasks/cancel";
    public static final String TASKS_UPDATE = "tasks/update";

    public static final String INITIALIZED = "notifications/initialized";
    public static final String CANCELLED = "notifications/cancelled";
    public static final String PROGRESS = "notifications/progress";
    public static final String LOG_MESSAGE = "notifications/message";
    public static final String TOOLS_LIST_CHANGED = "notifications/tools/list_changed";
    public static final String RESOURCES_LIST_CHANGED = "notifications/resources/list_changed";
    public static final String RESOURCES_UPDATED = "notifications/resources/updated";
    public static final String PROMPTS_LIST_CHANGED = "notifications/prompts/list_changed";
    public static final String ROOTS_LIST_CHANGED = "notifications/roots/list_changed";
    public static final String ELICITATION_COMPLETE = "notifications/elicitation/complete";
    public static final String SUBSCRIPTIONS_ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
    public static final String TASKS = "notifications/tasks";
    public static final String TASKS_STATUS = "notifications/tasks/status";

    /** All of the above. */
    static final List<String> ALL = List.of(
            INITIALIZE,
            PING,
            SERVER_DISCOVER,
            TOOLS_LIST,
            TOOLS_CALL,
            RESOURCES_LIST,
            RESOURCES_TEMPLATES_LIST,
            RESOURCES_READ,
            RESOURCES_SUBSCRIBE,
            RESOURCES_UNSUBSCRIBE,
            PROMPTS_LIST,
            PROMPTS_GET,
            COMPLETION_COMPLETE,
            LOGGING_SET_LEVEL,
            SUBSCRIPTIONS_LISTEN,
            SAMPLING_CREATE_MESSAGE,
            ELICITATION_CREATE,
            ROOTS_LIST,
            TASKS_GET,
            TASKS_LIST,
            TASKS_RESULT,
            TASKS_CANCEL,
            TASKS_UPDATE,
            INITIALIZED,
            CANCELLED,
            PROGRESS,
            LOG_MESSAGE,
            TOOLS_LIST_CHANGED,
            RESOURCES_LIST_CHANGED,
            RESOURCES_UPDATED,
            PROMPTS_LIST_CHANGED,
            ROOTS_LIST_CHANGED,
            ELICITATION_COMPLETE,
            SUBSCRIPTIONS_ACKNOWLEDGED,
            TASKS,
            TASKS_STATUS);

    private static final Set<String> KNOWN = Set.copyOf(ALL);
    private static final Set<String> MULTI_ROUND = Set.of(TOOLS_CALL, PROMPTS_GET, RESOURCES_READ);

    private static final Set<String> READ_ONLY = Set.of(
            PING,
            SERVER_DISCOVER,
            TOOLS_LIST,
            RESOURCES_LIST,
            RESOURCES_TEMPLATES_LIST,
            RESOURCES_READ,
            PROMPTS_LIST,
            PROMPTS_GET,
            COMPLETION_COMPLETE);

    private Methods() {}

    /** Whether a server of the modern era may answer this method with a request for input. */
    public static boolean mayNeedInput(String method) {
        return MULTI_ROUND.contains(method);
    }

    /** Whether some revision of the specification has this method. */
    public static boolean isKnown(String method) {
        return KNOWN.contains(method);
    }

    /** Whether the method is read-only by specification, so that repeating it is always safe. */
    public static boolean onlyReads(String method) {
        return READ_ONLY.contains(method);
    }
}
