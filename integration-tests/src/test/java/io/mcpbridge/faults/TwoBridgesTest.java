package io.mcpbridge.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.faulty.FaultProxy;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.testkit.faulty.Toxic;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A daemon in front of a daemon, over a connection that fails: a tool that must not run twice is repeated all the same,
 * since the second daemon runs what has one key once.
 */
@ParameterizedClass(name = "over {0}")
@ValueSource(strings = {"unix", "http"})
@Timeout(60)
class TwoBridgesTest {
    private static final String TOOL = "rear__tools__count";

    private final LeakCheck residue = LeakCheck.now();
    private final Path folder;
    private final boolean isHttp;
    private final FaultyServer server;
    private int port;
    private Daemon rear;
    private FaultProxy proxy;
    private Daemon front;
    private Connection client;

    TwoBridgesTest(String way) throws IOException {
        folder = Files.createTempDirectory("two");
        isHttp = way.equals("http");
        server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
    }

    @BeforeEach
    void start() throws Exception {
        rear = startRear();
        proxy = isHttp
                ? FaultProxy.before(httpAddress(rear))
                : FaultProxy.before(folder.resolve("rear.sock"), folder.resolve("proxy.sock"));
        var target = isHttp
                ? "\"url\": \"%s\"".formatted(proxy.uri())
                : "\"type\": \"unix\", \"path\": \"%s\"".formatted(folder.resolve("proxy.sock"));
        front = daemon("front.sock", "rear", target, "");
        client = Connection.to(
                URI.create("unix:" + folder.resolve("front.sock")),
                ConnectionOptions.DEFAULTS
                        .withRetryPolicy("none")
                        .withMaxAttempts(1)
                        .withoutSchemaCheck());
        assertThat(count("first")).contains("1");
    }

    @AfterEach
    void close() {
        client.close();
        front.close();
        proxy.close();
        rear.close();
        server.close();
        FaultBench.delete(folder);
        residue.assertNothingLeft();
    }

    @Test
    void callWithALostAnswerIsAnsweredAndRunsOnce() throws Exception {
        proxy.once("tools/call", new Toxic.ResetAfter());

        var answer = count("k");

        assertThat(answer).contains("1");
        assertThat(proxy.troubles()).isEqualTo(1);
        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    @Test
    void callWithALostRequestIsAnsweredAndRunsOnce() throws Exception {
        proxy.once("tools/call", new Toxic.ResetBefore());

        var answer = count("k");

        assertThat(answer).contains("1");
        assertThat(proxy.troubles()).isEqualTo(1);
        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    @Test
    void callIsNotRetriedAtARestartedDaemon() throws Exception {
        proxy.when("tools/call", new Toxic.Blackhole(0));
        var call = client.callToolAsync(TOOL, Map.of("key", "k"), CallOptions.DEFAULTS);
        Eventually.holds("the call to have run", () -> server.ledger().executions("k") == 1);

        rear.close();
        proxy.pass();
        rear = startRear();
        proxy.resetAll();

        assertThatThrownBy(call::join).cause().isInstanceOfSatisfying(CallException.class, failed -> {
            assertThat(failed.failure().serverError().orElseThrow().code()).isEqualTo(ErrorCode.IN_DOUBT.jsonRpcCode());
            assertThat(failed.getMessage()).contains("was restarted");
        });
        assertThat(server.ledger().executions("k")).isEqualTo(1);
    }

    private String count(String key) throws InterruptedException {
        return client.callTool(TOOL, Map.of("key", key)).text();
    }

    /** Its port stays the same, so that the proxy finds it again. */
    private Daemon startRear() throws IOException {
        var http = isHttp ? ", \"http\": {\"port\": %d}".formatted(port) : "";
        var daemon = daemon("rear.sock", "tools", "\"url\": \"%s\"".formatted(server.uri()), http);
        if (isHttp) {
            port = httpAddress(daemon).getPort();
        }
        return daemon;
    }

    private Daemon daemon(String socket, String name, String target, String more) throws IOException {
        var json = """
            {"mcpServers": {"%s": {%s, "retryDelayMs": 50, "maxRetries": 8}},
             "bridge": {"listen": {"unix": {"path": "%s"}%s}}}\
            """.formatted(name, target, folder.resolve(socket), more);
        var configuration = BridgeConfiguration.parse(json, folder, Map.of());
        return Daemon.start(configuration, DaemonOptions.DEFAULTS);
    }

    private static URI httpAddress(Daemon daemon) {
        return daemon.addresses().stream()
                .filter(address -> address.getScheme().equals("http"))
                .findFirst()
                .orElseThrow();
    }
}
