package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A translation between a server and a client that are both in the hands of a test; time stands still. */
final class TranslationBench {
    static final Duration CALL_TIMEOUT = Duration.ofSeconds(60);

    final FakeTimekeeper time = new FakeTimekeeper();
    final HeldHandler server = new HeldHandler();
    final HeldHandler client = new HeldHandler();
    final SuspendedCalls suspendedCalls;
    private final Environment environment;
    private Optional<Era> era;
    private int sound = Integer.MAX_VALUE;

    TranslationBench(Era era) {
        this(era, SuspendedCallSettings.DEFAULTS);
    }

    TranslationBench(Era era, SuspendedCallSettings settings) {
        this.era = Optional.of(era);
        environment = Environment.of(time, Runnable::run, new NoLauncher())
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

    /** After so many questions for the era of the server, a defect shows. */
    void breakAfter(int questions) {
        sound = questions;
    }

    private Optional<Era> era() {
        sound--;
        if (sound < 0) {
            throw new IllegalStateException("a defect");
        }
        return era;
    }

    void speaks(Era newEra) {
        era = Optional.of(newEra);
    }

    /** The translation of a server. */
    Handler translation(String serverName) {
        var side = new TranslatedServer(
                serverName,
                this::era,
                (call, reply) -> {
                    era = era.or(() -> Optional.of(Era.LEGACY));
                    reply.done(Outcome.answered(Response.result(MessageId.of(0), "{}")));
                },
                environment);
        return new Pipeline()
                .add(Position.TRANSLATION, new Translation(side, suspendedCalls))
                .handler(call -> server.handle(call, call), new RecordingLogger());
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

    /** The same call with the answers to what was asked. */
    Call retry(Caller caller, Response asked, String inputResponses) {
        return retry(caller, asked, inputResponses, "{\"name\":\"book\",\"arguments\":{\"seats\":2}}");
    }

    Call retry(Caller caller, Response asked, String inputResponses, String params) {
        var first = call(Methods.TOOLS_CALL, params, caller);
        var splice = first.request().splice().putParam("inputResponses", inputResponses);
        asked.raw(MessageField.RESULT_STATE).ifPresent(state -> splice.putParam("requestState", state));
        return Call.of((Request) splice.done(), caller, first.correlationId(), first.deadline());
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
