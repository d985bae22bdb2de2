package io.mcpbridge.retry.breaker;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.retry.FailedAttempts;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A breaker in front of a server that the test controls; records probes and events. */
final class BreakerBench {
    /** The open time of 5 s with the most that chance adds. */
    static final Duration OPEN = Duration.ofSeconds(6);

    final StageFixture calls = new StageFixture();
    final List<Completion> probes = new ArrayList<>();
    final List<BridgeEvent> events = new ArrayList<>();
    Consumer<String> changes = change -> {};
    final CallStage stage = new BreakerStage(
            BreakerSettings.DEFAULTS,
            StageContext.of("tools", calls.environment())
                    .withProbe((caller, completion) -> probes.add(completion))
                    .withPublisher(events::add)
                    .withChanges(listener -> changes = listener));

    void openAndProbe() {
        fail(5);
        passes();
        calls.time().advance(OPEN);
        probes.get(probes.size() - 1).succeeded();
    }

    /** Ends so many calls at once, as the end of their connection does. */
    void crash(int callsUnderWay) {
        var server = new HeldHandler();
        for (int i = 0; i < callsUnderWay; i++) {
            send(server);
        }
        var crash = Failure.of(ErrorCode.PROVIDER_CRASHED, "exit code 137").withDelivery(Delivery.UNKNOWN);
        server.calls().forEach(held -> held.reply().complete(Outcome.failed(crash)));
    }

    boolean passes() {
        var server = new HeldHandler();
        var reply = send(server);
        server.calls().forEach(held -> held.answer("{}"));
        return reply.awaitOutcome() instanceof Outcome.Answered;
    }

    void works(int times) {
        for (int i = 0; i < times; i++) {
            send(answering());
        }
    }

    void fail(int times) {
        for (int i = 0; i < times; i++) {
            sendFailing(FailedAttempts.lost());
        }
    }

    void sendFailing(Failure failure) {
        send(failing(failure));
    }

    static Next failing(Failure failure) {
        return call -> call.complete(Outcome.failed(failure));
    }

    void sendRefused(int code) {
        send(call -> call.complete(Outcome.answered(Response.error(MessageId.of(1), code, "a secret"))));
    }

    static Next answering() {
        return call -> call.complete(Outcome.answered(Response.result(MessageId.of(1), "{\"isError\":true}")));
    }

    RecordingReply send(Next server) {
        return StageFixture.send(stage, calls.tool(), server);
    }

    GaugeReading state() {
        return stage.readings().get(0);
    }
}
