package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Progress;
import io.mcpbridge.tool.ToolDefinition;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers of the official Java SDK behind a {@code Connection} and behind the daemon. */
@Timeout(60)
class JavaSdkServerTest {

    @RegisterExtension
    static final TestDaemon DAEMON =
            new TestDaemon().server("stdio", SdkStdioServer::command).server("http", SdkHttpServer::start);

    /** A thread for each call, since the common pool may have but one. */
    private static final Executor THREADS = task -> new Thread(task, "caller").start();

    /** How the server is reached; in lower case, also its name behind the daemon. */
    enum Way {
        STDIO,
        HTTP;

        PeerServer server() {
            return this == STDIO ? SdkStdioServer.command() : SdkHttpServer.start();
        }

        String tool(String name) {
            return name().toLowerCase(Locale.ROOT) + "__" + name;
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionCallsListsAndReceivesProgress(Way way) throws Exception {
        var progress = new CopyOnWriteArrayList<Progress>();
        try (var server = way.server();
                var connection = server.connect(ConnectionOptions.DEFAULTS)) {
            var echoed = connection.callTool("echo", Map.of("text", "hi"));
            connection.callTool("steps", Map.of(), CallOptions.DEFAULTS.withProgress(progress::add));

            assertThat(connection.listTools())
                    .extracting(ToolDefinition::name)
                    .containsExactly("echo", "steps", "log", "ask", "fail");
            assertThat(echoed.blocks()).containsExactly(new Content.Text("hi"));
            assertThat(progress).hasSize(SdkTools.STEPS);
            assertThat(progress.get(2).message()).hasValue("step 3");
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionDistinguishesToolErrorsFromProtocolErrors(Way way) throws Exception {
        try (var server = way.server();
                var connection = server.connect(ConnectionOptions.DEFAULTS.withoutSchemaCheck())) {
            var failed = connection.callTool("fail", Map.of());

            assertThat(failed.isError()).isTrue();
            assertThatThrownBy(() -> connection.callTool("nothing", Map.of()))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("-32602");
        }
    }

    @ParameterizedTest
    @EnumSource
    void serverRequestReachesOnlyTheCallingClient(Way way) {
        try (var ann = SdkClient.connect("ann", SdkClient.http(DAEMON.http()));
                var bob = SdkClient.connect("bob", SdkClient.http(DAEMON.http()))) {

            assertThat(ann.text(way.tool("ask"), Map.of())).isEqualTo("ACCEPT ann");
            assertThat(ann.text(way.tool("ask"), Map.of())).isEqualTo("ACCEPT ann");
            assertThat(bob.text(way.tool("ask"), Map.of())).isEqualTo("ACCEPT bob");

            assertThat(ann.questions).hasSize(2);
            assertThat(bob.questions).hasSize(1);
        }
    }

    /** Over HTTP each server request is on the stream of its call; on shared streams its call is unknown. */
    @Test
    void concurrentServerRequestsReachTheirClients() throws Exception {
        var bothAreAsked = new CyclicBarrier(2);
        Runnable meet = () -> meet(bothAreAsked);
        try (var ann = SdkClient.connect("ann", SdkClient.http(DAEMON.http()), meet);
                var bob = SdkClient.connect("bob", SdkClient.http(DAEMON.http()), meet)) {
            var tool = Way.HTTP.tool("ask");

            var ofAnn = CompletableFuture.supplyAsync(() -> ann.text(tool, Map.of()), THREADS);
            var ofBob = CompletableFuture.supplyAsync(() -> bob.text(tool, Map.of()), THREADS);

            assertThat(ofAnn.get(30, TimeUnit.SECONDS)).isEqualTo("ACCEPT ann");
            assertThat(ofBob.get(30, TimeUnit.SECONDS)).isEqualTo("ACCEPT bob");
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
            throw new IllegalStateException("the other client was not asked meanwhile", alone);
        }
    }

    @ParameterizedTest
    @EnumSource
    void logMessageReachesOnlyTheCallingClient(Way way) {
        try (var ann = SdkClient.connect("ann", SdkClient.http(DAEMON.http()));
                var bob = SdkClient.connect("bob", SdkClient.http(DAEMON.http()))) {
            ann.sdk.setLoggingLevel(LoggingLevel.DEBUG);
            bob.sdk.setLoggingLevel(LoggingLevel.DEBUG);

            ann.call(way.tool("log"), Map.of("line", "for ann"));
            bob.call(way.tool("log"), Map.of("line", "for bob"));

            Eventually.holds("both lines", () -> !ann.logged.isEmpty() && !bob.logged.isEmpty());
            assertThat(ann.logged).containsExactly("for ann");
            assertThat(bob.logged).containsExactly("for bob");
        }
    }
}
