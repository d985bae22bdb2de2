package io.mcpbridge.translate;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.config.ParkingSettings;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Environment;
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
    final ParkedCalls parked;
    private final Environment environment;
    private Optional<Era> era;

    TranslationBench(Era era) {
        this(era, ParkingSettings.DEFAULTS);
    }

    TranslationBench(Era era, ParkingSettings settings) {
        this.era = Optional.of(era);
        environment = Environment.with(time, Runnable::run, new NoLauncher())
                .logger(new RecordingLogger())
                .variables(Map.of())
                .random(new java.util.Random(1))
                .build();
        parked = new ParkedCalls(settings, environment);
    }

    /** The server was not connected yet. */
    TranslationBench unconnected() {
        era = Optional.empty();
        return this;
    }

    void speaks(Era newEra) {
        era = Optional.of(newEra);
    }

    Translation translation(String serverName) {
        var side = new ServerSide(
                serverName,
                () -> era,
                (call, reply) -> {
                    era = era.or(() -> Optional.of(Era.LEGACY));
                    reply.done(Outcome.answered(Response.result(MessageId.of(0), "{}")));
                },
                environment);
        return new Translation(side, server, parked);
    }

    RecordingReply send(Call call) {
        var reply = new RecordingReply();
        translation("tools").handle(call, reply);
        return reply;
    }

    /** A client of the legacy era with these capabilities. */
    Caller legacy(String capabilities) {
        return Caller.builder()
                .session("s-1")
                .capabilities(capabilities)
                .declared(capabilities)
                .client(client)
                .build();
    }

    static Caller modern(String user, String capabilities) {
        return Caller.builder()
                .principal(new Principal(user, "token"))
                .version(ProtocolVersion.V2026_07_28)
                .session("m-" + user)
                .capabilities(capabilities)
                .declared(capabilities)
                .build();
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
        asked.raw(Part.RESULT_STATE).ifPresent(state -> splice.putParam("requestState", state));
        return first.withRequest((Request) splice.done());
    }

    private static final class NoLauncher implements ProcessLauncher {
        @Override
        public ChildProcess launch(Command command) {
            throw new IllegalStateException("nothing is started in this test");
        }

        @Override
        public void close() {}
    }
}
