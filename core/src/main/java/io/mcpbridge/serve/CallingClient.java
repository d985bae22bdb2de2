package io.mcpbridge.serve;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.serve.schema.PlainForm;
import io.mcpbridge.tool.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The client behind a call: it can be told how the work goes, and asked what the tool has to know. Any thread.
 *
 * <p>Asking waits, for ten minutes at the most, and the call's own time stands still meanwhile. Clients of both eras are
 * asked alike; one that declared no such capability, that refuses, or that leaves ends the question with a {@link
 * io.mcpbridge.failure.CallException}.
 */
public final class CallingClient {
    private final String tool;
    private final Call call;
    private final Reply reply;
    private final Timekeeper timekeeper;

    CallingClient(String tool, Call call, Reply reply, Timekeeper timekeeper) {
        this.tool = tool;
        this.call = call;
        this.reply = reply;
        this.timekeeper = timekeeper;
    }

    /** Tells how far the work has come; dropped where the client did not ask for it. */
    public void progress(double done) {
        progress(Map.of("progress", done));
    }

    /** The same, of how much in all. */
    public void progress(double done, double total) {
        progress(Map.of("progress", done, "total", total));
    }

    /** The same, with words for people. */
    public void progress(double done, double total, String message) {
        progress(Map.of("progress", done, "total", total, "message", message));
    }

    private void progress(Map<String, ?> values) {
        var token = call.request().raw(Part.PROGRESS_TOKEN);
        if (token.isPresent()) {
            var params = new LinkedHashMap<String, String>();
            params.put("progressToken", token.get());
            new TreeMap<>(values).forEach((key, value) -> params.put(key, Json.write(value)));
            reply.event(Notification.of(Methods.PROGRESS, Json.object(params)));
        }
    }

    /**
     * Sends a log message, which reaches the client if it asked for messages of this severity.
     *
     * @param data what a tool may return too
     */
    public void log(LogLevel level, Object data) {
        var params = new LinkedHashMap<String, Object>();
        params.put("level", level.text());
        params.put("logger", tool);
        params.put("data", PlainForm.of(data));
        reply.event(Notification.of(Methods.LOG_MESSAGE, Json.write(params)));
    }

    /**
     * Asks the client's user to fill in a form.
     *
     * @param message what the user reads
     * @param requestedSchema the JSON Schema of the form: an object of plain members
     */
    public Elicited elicit(String message, String requestedSchema) throws InterruptedException {
        var params = "{\"mode\":\"form\",\"message\":%s,\"requestedSchema\":%s}"
                .formatted(JsonText.quote(message), requestedSchema);
        return Elicited.read(ask(Methods.ELICITATION_CREATE, params));
    }

    /**
     * Asks the client's language model.
     *
     * @param params the raw JSON of the params of {@code sampling/createMessage}
     * @return its result
     */
    public Map<String, @Nullable Object> sample(String params) throws InterruptedException {
        return JsonObject.parse(ask(Methods.SAMPLING_CREATE_MESSAGE, params));
    }

    /** Asks for the client's roots: the result of {@code roots/list}. */
    public Map<String, @Nullable Object> listRoots() throws InterruptedException {
        return JsonObject.parse(ask(Methods.ROOTS_LIST, "{}"));
    }

    private String ask(String method, String params) throws InterruptedException {
        return new ClientQuestion(call, timekeeper).ask(method, params);
    }
}
