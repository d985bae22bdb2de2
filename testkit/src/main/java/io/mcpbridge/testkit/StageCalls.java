package io.mcpbridge.testkit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Makes calls for a stage, on a clock that stands still. Any thread may use it. */
public final class StageCalls {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final AtomicLong ids = new AtomicLong();
    private final Environment environment;

    public StageCalls() {
        environment = Environment.with(time, Runnable::run, new NoProcesses())
                .logger(log)
                .variables(Map.of())
                .random(new java.util.Random(1))
                .build();
    }

    public FakeTimekeeper time() {
        return time;
    }

    public RecordingLogger log() {
        return log;
    }

    public Environment environment() {
        return environment;
    }

    /** A call of the tool {@code work} without arguments, by {@code anna}. */
    public Call tool() {
        return tool("work", "{}");
    }

    /** A call of a tool, by {@code anna}. */
    public Call tool(String name, String arguments) {
        return of(Methods.TOOLS_CALL, "{\"name\":\"%s\",\"arguments\":%s}".formatted(name, arguments));
    }

    /** Any call, by {@code anna}, who waits a minute. */
    public Call of(String method, String params) {
        return by("anna", method, params, PATIENCE);
    }

    /** Any call. */
    public Call by(String principal, String method, String params, Duration patience) {
        var number = ids.incrementAndGet();
        var caller =
                Caller.builder().principal(new Principal(principal, "token")).build();
        var request = Request.of(MessageId.of(number), method, params);
        return Call.of(request, caller, "call-" + number, Deadline.after(patience, time));
    }

    /** Sends a call through a stage. */
    public static RecordingReply send(CallStage stage, Call call, Handler next) {
        var reply = new RecordingReply();
        stage.handle(call, reply, next);
        return reply;
    }

    private static final class NoProcesses implements ProcessLauncher {
        @Override
        public ChildProcess launch(Command command) {
            throw new IllegalStateException("a stage starts no process");
        }

        @Override
        public void close() {}
    }
}
