package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A translation between a server and a client that a test controls; the clock is paused. */
final class TranslationBench {
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

    final FakeTimekeeper time = new FakeTimekeeper();
    final HeldHandler server = new HeldHandler();
    final HeldHandler client = new HeldHandler();
    final SuspendedCalls suspendedCalls;
    private final Environment environment;
    private Optional<Era> era;
    private Optional<Era> answering = Optional.empty();
    private boolean isClockBroken;

    TranslationBench(Era era) {
        this(era, SuspendedCallSettings.DEFAULTS);
    }

    TranslationBench(Era era, SuspendedCallSettings settings) {
        this.era = Optional.of(era);
        environment = Environment.of(new Clock(), Runnable::run, new NoLauncher())
                .withLogger(new RecordingLogger())
                .withVariables(Map.of())
                .withRandom(new java.util.Random(1));
        suspendedCalls = new SuspendedCalls(settings, environment);
    }

    /** The server was not connected yet. */
    TranslationBench unconnected() {
        era = Optional.empty();
        return this;
    }

    /** From now on reading the clock of the bridge is a defect. */
    void breakClock() {
        isClockBroken = true;
    }

    void repairClock() {
        isClockBroken = false;
    }

    void setEra(Era newEra) {
        era = Optional.of(newEra);
    }

    /** From now on answers come over connections of this era, whatever the server speaks now. */
    void answersIn(Era newEra) {
        answering = Optional.of(newEra);
    }

    private Outcome answered(Outcome outcome) {
        return outcome instanceof Outcome.Answered answer
                ? new Outcome.Answered(
                        answer.response(),
                        answer.attempts(),
                        answering.or(() -> era).orElse(Era.MODERN))
                : outcome;
    }

    /** The translation of a server. */
    Handler translation(String serverName) {
        var side = new TranslatedServer(
                serverName,
                () -> era,
                (call, reply) -> {
                    era = era.or(() -> Optional.of(Era.LEGACY));
                    reply.complete(Outcome.answered(Response.result(MessageId.of(0), "{}")));
                },
                environment);
        return new Pipeline()
                .add(Position.TRANSLATION, new Translation(side, suspendedCalls))
                .handler(this::take, new RecordingLogger());
    }

    private void take(CallContext call) {
        PipelineCall.of(call).mapOutcome(this::answered);
        server.handle(call, call);
    }

    RecordingReply send(Call call) {
        var reply = new RecordingReply();
        translation("tools").handle(call, reply);
        return reply;
    }

    /** A client of the legacy era with these capabilities. */
    Caller legacy(String capabilities) {
        return Caller.ANONYMOUS
                .withSession("s-1")
                .withCapabilities(capabilities)
                .withDeclared(capabilities)
                .withClient(client);
    }

    static Caller modern(String user, String capabilities) {
        return Caller.ANONYMOUS
                .withPrincipal(new Principal(user, "token"))
                .withVersion(ProtocolVersion.V2026_07_28)
                .withSession("m-" + user)
                .withCapabilities(capabilities)
                .withDeclared(capabilities);
    }

    static Caller modern() {
        return modern("alice", Caller.EVERYTHING);
    }

    Call call(String method, String params, Caller caller) {
        var request = Request.of(MessageId.of("mine"), method, params);
        return Call.of(request, caller, "c-1", Deadline.after(CALL_TIMEOUT, time));
    }

    Call toolCall(Caller caller) {
        return call(Methods.TOOLS_CALL, "{\"name\":\"book\",\"arguments\":{\"seats\":2}}", caller);
    }

    /** The same call with the responses to the input requests. */
    Call retry(Caller caller, Response asked, String inputResponses) {
        return retry(caller, asked, inputResponses, "{\"name\":\"book\",\"arguments\":{\"seats\":2}}");
    }

    Call retry(Caller caller, Response asked, String inputResponses, String params) {
        var first = call(Methods.TOOLS_CALL, params, caller);
        var splice = first.request().splice().putParam("inputResponses", inputResponses);
        asked.raw(MessageField.RESULT_STATE).ifPresent(state -> splice.putParam("requestState", state));
        return Call.of((Request) splice.done(), caller, first.correlationId(), first.deadline());
    }

    /** The clock of the test, which can break. */
    private final class Clock implements Timekeeper {
        @Override
        public long nanoTime() {
            if (isClockBroken) {
                throw new IllegalStateException("a defect");
            }
            return time.nanoTime();
        }

        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable task) {
            return time.schedule(delay, task);
        }
    }

    private static final class NoLauncher implements ProcessLauncher {
        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw new IllegalStateException("nothing is started in this test");
        }

        @Override
        public void close() {}
    }
}
