package io.mcpbridge.server;

import static io.mcpbridge.internal.json.JsonCodec.object;
import static io.mcpbridge.internal.json.JsonCodec.write;

import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.RootsHandler.Root;
import io.mcpbridge.SamplingHandler.CreateMessageResult;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.tool.Json;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * The client of a call: receives progress and log messages, and answers requests of the tool. Any thread.
 *
 * <p>A request blocks, for at most ten minutes, and stops the time-out of the call meanwhile. It works in the same way
 * for clients of both eras. A client that did not declare the capability, that refuses, or that leaves ends the request
 * with a {@link CallException}.
 */
public final class CallingClient {
    /** The time for the client to answer a request; people take part. */
    static final Duration ANSWER_TIMEOUT = Duration.ofMinutes(10);

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

    /** Reports progress, if the client asked for it. */
    public void progress(double done) {
        progress(Map.of("progress", done));
    }

    /** Reports progress out of a total. */
    public void progress(double done, double total) {
        progress(Map.of("progress", done, "total", total));
    }

    /** Reports progress out of a total, with a message for people. */
    public void progress(double done, double total, String message) {
        progress(Map.of("progress", done, "total", total, "message", message));
    }

    private void progress(Map<String, ?> values) {
        var token = call.request().raw(MessageField.PROGRESS_TOKEN);
        if (token.isPresent()) {
            var params = new LinkedHashMap<String, String>();
            params.put("progressToken", token.get());
            new TreeMap<>(values).forEach((key, value) -> params.put(key, write(value)));
            reply.event(Notification.of(Methods.PROGRESS, object(params)));
        }
    }

    /**
     * Sends a log message, which reaches a client that asked for messages of this level.
     *
     * @param data anything that a tool may return
     */
    public void log(LogLevel level, Object data) {
        var params = new LinkedHashMap<String, Object>();
        params.put("level", level.text());
        params.put("logger", tool);
        params.put("data", PlainValues.of(data));
        reply.event(Notification.of(Methods.LOG_MESSAGE, write(params)));
    }

    /**
     * Asks the user of the client to fill in a form.
     *
     * @param message what the user reads
     * @param requestedSchema the JSON Schema of the form: an object with members that are not nested
     */
    public ElicitResult elicit(String message, Json requestedSchema) throws InterruptedException {
        var params = "{\"mode\":\"form\",\"message\":%s,\"requestedSchema\":%s}"
                .formatted(JsonStrings.quote(message), requestedSchema.text());
        return new ElicitResult(Json.parse(request(Methods.ELICITATION_CREATE, params)));
    }

    /**
     * Asks the language model of the client.
     *
     * @param params the params of {@code sampling/createMessage}
     */
    public CreateMessageResult sample(Json params) throws InterruptedException {
        return new CreateMessageResult(Json.parse(request(Methods.SAMPLING_CREATE_MESSAGE, params.text())));
    }

    /** Asks for the roots of the client. */
    public List<Root> listRoots() throws InterruptedException {
        var roots = Json.parse(request(Methods.ROOTS_LIST, "{}")).member("roots");
        return roots.map(Json::elements).orElse(List.of()).stream()
                .map(CallingClient::root)
                .toList();
    }

    private static Root root(Json json) {
        var uri = json.member("uri").flatMap(Json::asString).orElse("");
        try {
            return new Root(
                    new URI(uri), json.member("name").flatMap(Json::asString).orElse(""));
        } catch (URISyntaxException invalid) {
            var words = "the client answered '%s' with '%s', which is not a URI".formatted(Methods.ROOTS_LIST, uri);
            throw CallException.of(Failure.of(ErrorCode.INVALID_REQUEST, words).withDelivery(Delivery.ANSWERED));
        }
    }

    /** Sends a request to the client, and waits for the answer. */
    String request(String method, String params) throws InterruptedException {
        var cancellation = new Cancellation();
        var request = Call.of(
                        Request.of(MessageId.of("question"), method, params),
                        call.caller(),
                        call.correlationId(),
                        Deadline.after(ANSWER_TIMEOUT, timekeeper))
                .withCancellation(cancellation);
        var answer = new ArrayBlockingQueue<Outcome>(2);
        var release = call.deadline().hold();
        var alarm = timekeeper.schedule(ANSWER_TIMEOUT, () -> answer.offer(timedOut(method)));
        try {
            call.caller().client().handle(request, answer::offer);
            return result(method, answer.take());
        } finally {
            alarm.cancel();
            release.run();
            cancellation.cancel(CancelReason.CALL_ENDED);
        }
    }

    private static Outcome timedOut(String method) {
        var message = "the client did not answer '%s' within %d s".formatted(method, ANSWER_TIMEOUT.toSeconds());
        return Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, message));
    }

    private static String result(String method, Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed) {
            throw CallException.of(failed.failure());
        }
        var response = ((Outcome.Answered) outcome).response();
        if (response.isError()) {
            var failure = JsonRpcErrorMapper.toFailure(response);
            throw CallException.of(
                    failure.withMessage("the client refused '%s': %s".formatted(method, failure.message())));
        }
        return response.raw(MessageField.RESULT).orElse("{}");
    }
}
