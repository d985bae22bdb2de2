package io.mcpbridge.audit.database;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Facts to record, and the word about a record as a future. */
public final class Events {
    private static final AuditedCall ECHO = AuditedCallFixture.of("tools/call", "local", "echo", "");
    private static final Principal ALICE = new Principal("alice", "token");

    private Events() {}

    public static ToolEnter enter(String correlationId) {
        return enter(correlationId, "{\"text\":\"hi\"}");
    }

    public static ToolEnter enter(String correlationId, String arguments) {
        return new ToolEnter(AuditedCallFixture.by(ECHO, correlationId, ALICE, "desktop"), arguments, "", 1);
    }

    /** The same in a trace. */
    public static ToolEnter enter(String correlationId, TraceParent trace) {
        return new ToolEnter(AuditedCallFixture.by(ECHO, correlationId, ALICE, "desktop", trace), "{}", "", 1);
    }

    public static ToolExit exit(String correlationId) {
        return exit(correlationId, Response.result(MessageId.of(1), "{\"content\":[]}"));
    }

    public static ToolExit exit(String correlationId, Response answer) {
        return new ToolExit(
                AuditedCallFixture.withId(ECHO, correlationId), Duration.ofMillis(3), 1, Outcome.answered(answer));
    }

    /** Hears whether a record is durable. */
    public static final class Word extends CompletableFuture<String> implements Completion {

        @Override
        public void succeeded() {
            complete("durable");
        }

        @Override
        public void failed(Throwable why) {
            complete(String.valueOf(why.getMessage()));
        }
    }
}
