package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.ToolDefinition;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
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

    /** How the server is reached; in lower case, also its name behind the daemon. */
    enum Way {
        STDIO(SdkStdioServer::command),
        HTTP(SdkHttpServer::start);

        private final Supplier<PeerServer> server;

        Way(Supplier<PeerServer> server) {
            this.server = server;
        }

        String tool(String name) {
            return name().toLowerCase(java.util.Locale.ROOT) + "__" + name;
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionCallsListsAndHearsOfProgress(Way way) throws Exception {
        var progress = new CopyOnWriteArrayList<String>();
        try (var server = way.server.get();
                var connection = server.connect(ConnectionOptions.DEFAULTS)) {
            var echoed = connection.callTool("echo", Map.of("text", "hi"));
            connection.callTool("steps", Map.of(), CallOptions.DEFAULTS.withProgress(progress::add));

            assertThat(connection.listTools())
                    .extracting(ToolDefinition::name)
                    .containsExactly("ask", "echo", "fail", "log", "steps");
            assertThat(echoed.content()).containsExactly(new Content.Text("hi"));
            assertThat(progress).hasSize(SdkTools.STEPS);
            assertThat(progress.get(2)).contains("\"message\":\"step 3\"");
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionTellsErrorsOfToolsFromErrorsOfTheProtocol(Way way) throws Exception {
        try (var server = way.server.get();
                var connection = server.connect(ConnectionOptions.DEFAULTS)) {
            var failed = connection.callTool("fail", Map.of());

            assertThat(failed.isError()).isTrue();
            assertThatThrownBy(() -> connection.callTool("nothing", Map.of()))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("-32602");
        }
    }

    @ParameterizedTest
    @EnumSource
    void questionReachesOnlyTheClientThatCalled(Way way) {
        try (var ann = SdkClient.connect("ann", SdkClient.http(DAEMON.http()));
                var bob = SdkClient.connect("bob", SdkClient.http(DAEMON.http()))) {

            assertThat(ann.text(way.tool("ask"), Map.of())).isEqualTo("ACCEPT ann");
            assertThat(ann.text(way.tool("ask"), Map.of())).isEqualTo("ACCEPT ann");
            assertThat(bob.text(way.tool("ask"), Map.of())).isEqualTo("ACCEPT bob");

            assertThat(ann.questions).hasSize(2);
            assertThat(bob.questions).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void logMessageReachesOnlyTheClientThatCalled(Way way) {
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
