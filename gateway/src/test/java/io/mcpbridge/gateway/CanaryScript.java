package io.mcpbridge.gateway;

import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A server that returns the canary of each call in its response or error and in progress and log messages before, in
 * random order. It answers half of the cancelled calls nevertheless, and one call in a hundred only after the client
 * gave up. Its tool is {@code sing}.
 */
final class CanaryScript implements Script {
    /** From this number of open calls on, each new call causes one response. */
    private static final int OPEN = 40;

    private static final int LATE_ONE_IN = 100;

    private final ToolScript greeting = new ToolScript("canary", "sing");
    private final Random random;
    private final List<Open> open = new ArrayList<>();
    private final List<Open> late = new ArrayList<>();
    private boolean hesitates;

    private record Open(Request request, Wire wire) {}

    CanaryScript(long seed) {
        random = new Random(seed);
    }

    @Override
    public synchronized void received(Message message, Wire wire) {
        if (message instanceof Request request && request.method().equals(Methods.TOOLS_CALL)) {
            (random.nextInt(LATE_ONE_IN) == 0 ? late : open).add(new Open(request, wire));
            if (open.size() > OPEN) {
                answer(open.remove(random.nextInt(open.size())));
            }
        } else if (message instanceof Notification note && note.method().equals(Methods.CANCELLED)) {
            note.raw(MessageField.CANCELLED_ID).flatMap(MessageId::parse).ifPresent(this::loseSome);
        } else {
            greeting.received(message, wire);
        }
    }

    /** Answers up to this number of random open calls; the test ensures that no call waits for ever. */
    synchronized void answerSome(int most) {
        for (int i = 0; i < most && !open.isEmpty() && !hesitates; i++) {
            answer(open.remove(random.nextInt(open.size())));
        }
    }

    /** Sends no further responses until {@code forget}. */
    synchronized void holdResponses() {
        hesitates = true;
    }

    /** How many calls are open. */
    synchronized int open() {
        return open.size();
    }

    /** The server is killed and loses its open calls. */
    synchronized void loseOpenCalls() {
        open.clear();
        late.clear();
        hesitates = false;
    }

    private void loseSome(MessageId id) {
        for (var call : late) {
            if (call.request().id().equals(id)) {
                late.remove(call);
                answer(call);
                return;
            }
        }
        if (random.nextBoolean()) {
            open.removeIf(each -> each.request().id().equals(id));
        }
    }

    private void answer(Open call) {
        try {
            say(call);
        } catch (UncheckedIOException cut) {
            // The connection was cut in the meantime.
        }
    }

    private void say(Open call) {
        var canary = call.request().raw(MessageField.ARGUMENTS).orElse("{}");
        var token = call.request().raw(MessageField.PROGRESS_TOKEN);
        token.ifPresent(known -> call.wire().send(progress(known, canary)));
        if (random.nextInt(4) == 0) {
            call.wire()
                    .send(Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"error\",\"data\":%s}".formatted(canary)));
        }
        call.wire().send(outcome(call.request().id(), canary));
    }

    private static Message progress(String token, String canary) {
        return Notification.of(
                Methods.PROGRESS,
                "{\"progressToken\":%s,\"progress\":1,\"message\":%s}".formatted(token, JsonStrings.quote(canary)));
    }

    private Message outcome(MessageId id, String canary) {
        if (random.nextInt(5) == 0) {
            return Response.error(id, -32050, canary, canary);
        }
        return Response.result(id, "{\"content\":[],\"structuredContent\":%s}".formatted(canary));
    }
}
