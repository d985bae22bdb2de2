package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.server.ToolServer.ExitOnUncaughtException;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row B7: starting, stopping, and uncaught failures. */
@Timeout(60)
class StartingTest {

    @Test
    void b7StartIsLogged() throws Exception {
        try (var bench = new ServeBench()) {
            bench.server().start();

            assertThat(bench.log.lines())
                    .containsExactly("[mcp-bridge] starting in mode=FULL version=1.2.3", "[mcp-bridge] ready");
        }
    }

    @Test
    void b7StartTimesOut() {
        var place = new StuckListener();
        try (var bench = new ServeBench()) {
            bench.options.listen(place).startupTimeout(Duration.ofMillis(80));

            assertThatThrownBy(() -> bench.server().start())
                    .isInstanceOf(TransportException.class)
                    .hasMessage("startup timeout exceeded (80ms)");

            assertThat(bench.log.lines()).last().isEqualTo("[mcp-bridge] fatal: startup timeout exceeded (80ms)");
            Eventually.holds("the end of what opened too late", () -> place.closed.get() == 2);
            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> thread.getName().equals("mcp-bridge-start"))
                    .allMatch(Thread::isDaemon);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"COLIBRI_STARTUP_TIMEOUT_MS", "MCP_BRIDGE_STARTUP_TIMEOUT_MS"})
    void b7StartupTimeoutIsReadFromAVariable(String variable) {
        try (var bench = new ServeBench(Map.of(variable, "60"))) {
            bench.options.listen(new StuckListener());

            assertThatThrownBy(() -> bench.server().start()).hasMessage("startup timeout exceeded (60ms)");
        }
        assertThat(ToolServerOptions.DEFAULTS.startupTimeout()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void b7FailedListenerIsLoggedAndClosesAllListeners() {
        var first = new io.mcpbridge.testkit.InMemoryListener();
        try (var bench = new ServeBench()) {
            bench.options.listen(first).listen(new BrokenListener(new IllegalStateException("taken")));

            assertThatThrownBy(() -> bench.server().start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("taken");

            assertThat(bench.log.lines()).last().isEqualTo("[mcp-bridge] fatal: taken");
            assertThatThrownBy(first::connect).isInstanceOf(java.io.IOException.class);
        }
    }

    @Test
    void b7ErrorOfAListenerIsReported() {
        try (var bench = new ServeBench()) {
            bench.options.listen(new BrokenListener(new NoClassDefFoundError("gone")));

            assertThatThrownBy(() -> bench.server().start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("opening failed")
                    .hasRootCauseMessage("gone");
        }
    }

    @Test
    void b7ErrorBeforeTheListenersOpenIsLogged() {
        try (var bench = new ServeBench()) {
            bench.options.versionReader(() -> {
                throw new NoClassDefFoundError("gone");
            });

            assertThatThrownBy(() -> bench.server().start()).isInstanceOf(NoClassDefFoundError.class);

            assertThat(bench.log.lines()).containsExactly("[mcp-bridge] fatal: gone");
        }
    }

    @Test
    void b7RunningServerDoesNotStartAgain() throws Exception {
        try (var bench = new ServeBench()) {
            bench.server().start();

            assertThatThrownBy(() -> bench.server().start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this server is running; stop it before it starts again");
        }
    }

    @Test
    void b7StoppedServerCanStartAgain() throws Exception {
        try (var bench = new ServeBench().with("echo", call -> call.arguments())) {
            var first = bench.legacy();
            bench.server().stop();
            bench.server().awaitStop();
            first.awaitEnd();

            bench.server().start();
            assertThat(ServedClient.legacy(bench.listener.connect()).envelope("echo", "{\"n\":1}"))
                    .isEqualTo("{\"ok\":true,\"data\":{\"n\":1}}");

            bench.server().stop();
            bench.server().awaitStop();
            assertThatThrownBy(bench.listener::connect).isInstanceOf(java.io.IOException.class);
        }
    }

    @Test
    void b7SecondStartReopensItsListeners(@TempDir Path folder) throws Exception {
        var options = ToolServerOptions.builder()
                .version("1")
                .listen(
                        "unix",
                        Settings.of(Map.of("path", folder.resolve("tools.sock").toString())))
                .withoutGlobalHandlers();
        try (var server = ToolServer.create(options.build())) {
            server.start();
            server.stop();
            assertThat(folder.resolve("tools.sock")).doesNotExist();

            server.start();

            var withoutRetries = ConnectionOptions.DEFAULTS.withRetryPolicy("none");
            try (var client = Connection.to(server.addresses().get(0), withoutRetries)) {
                assertThat(client.callTool("server_ping", Map.of()).text()).contains("\"ok\":true");
            }
        }
    }

    @Test
    void b7ServerStartsAfterAnEarlierStop() throws Exception {
        try (var bench = new ServeBench()) {
            bench.server().stop();
            bench.server().awaitStop();

            bench.server().start();

            assertThat(bench.legacy().envelope("server_ping", "{}")).contains("\"ok\":true");
        }
    }

    @Test
    void b7ServerStartsAfterAFailedStart() throws Exception {
        var isBroken = new AtomicBoolean(true);
        try (var bench = new ServeBench()) {
            bench.options.versionReader(() -> {
                if (isBroken.get()) {
                    throw new java.io.IOException("no such file");
                }
                return "2";
            });
            assertThatThrownBy(() -> bench.server().start()).hasMessageContaining("no such file");

            isBroken.set(false);
            bench.server().start();

            assertThat(bench.legacy().envelope("server_ping", "{}")).contains("\"version\":\"2\"");
        }
    }

    @Test
    void b7ServerStoppedDuringItsStartStaysClosed() {
        try (var bench = new ServeBench()) {
            bench.options.versionReader(() -> {
                bench.server().stop();
                return "1";
            });

            assertThatThrownBy(() -> bench.server().start())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("this server was stopped while it started");

            assertThatThrownBy(bench.listener::connect).isInstanceOf(java.io.IOException.class);
        }
    }

    @Test
    void b7StopAnswersPendingCalls() throws Exception {
        var begun = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        try (var bench = new ServeBench().with("slow", call -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                ended.countDown();
            }
            return null;
        })) {
            var client = bench.legacy();
            client.beginCall("slow", "{}");
            begun.await();

            bench.server().stop();
            bench.server().stop();
            bench.server().awaitStop();

            assertThat(client.receive()).contains("-31009");
            ended.await();
            client.awaitEnd();
            assertThat(bench.records()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void b7ToolThatDoesNotEndIsAbandoned(boolean inAHurry) throws Exception {
        var begun = new CountDownLatch(1);
        var free = new CountDownLatch(1);
        try (var bench = new ServeBench().with("deaf", call -> {
            begun.countDown();
            while (free.getCount() > 0) {
                try {
                    free.await();
                } catch (InterruptedException ignored) {
                    // The tool in this test does not care.
                }
            }
            return null;
        })) {
            var client = bench.legacy();
            client.beginCall("deaf", "{}");
            begun.await();
            if (inAHurry) {
                Thread.currentThread().interrupt();
            }

            bench.server().stop();

            assertThat(Thread.interrupted()).isEqualTo(inAHurry);
            assertThat(client.receive()).contains("-31009");
            client.awaitEnd();
            free.countDown();
        }
    }

    @Test
    void b7UncaughtFailuresExitTheProgramOnce() throws Exception {
        var before = Thread.getDefaultUncaughtExceptionHandler();
        var exits = new AtomicInteger();
        try (var one = new ServeBench();
                var other = new ServeBench()) {
            for (var bench : new ServeBench[] {one, other}) {
                bench.options.exit(exits::addAndGet);
            }
            var first = ToolServer.create(optionsWithHandlers(one));
            var second = ToolServer.create(optionsWithHandlers(other));
            first.start();
            var installed = Thread.getDefaultUncaughtExceptionHandler();
            second.start();

            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(installed);
            var thread = new Thread(() -> {
                throw new IllegalStateException("nobody catches me");
            });
            thread.start();
            thread.join();

            assertThat(exits).hasValue(1);
            assertThat(one.log.lines())
                    .contains("[mcp-bridge] uncaughtException: java.lang.IllegalStateException: nobody catches me");
            assertThat(other.log.lines()).noneMatch(line -> line.contains("uncaught"));
            first.stop();
            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(installed);
            second.stop();
            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
        }
    }

    @Test
    void b7UncaughtFailureThatCannotBeLoggedExitsTheProgram() {
        var exits = new AtomicInteger();
        ExitOnUncaughtException.install(this, new ThrowingLogger(), exits::addAndGet);
        try {
            var installed = Thread.getDefaultUncaughtExceptionHandler();

            assertThatThrownBy(() -> installed.uncaughtException(Thread.currentThread(), new OutOfMemoryError()))
                    .hasMessage("no space left");
            assertThat(exits).hasValue(1);
        } finally {
            ExitOnUncaughtException.remove(this);
        }
    }

    /** Cannot store what it receives. */
    private static final class ThrowingLogger implements System.Logger {
        @Override
        public String getName() {
            return "throwing";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Throwable why) {
            throw new IllegalStateException("no space left");
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, @Nullable String text, @Nullable Object... parameters) {
            throw new IllegalStateException("no space left");
        }
    }

    /** The options of a bench, with global handlers. */
    private static ToolServerOptions optionsWithHandlers(ServeBench bench) {
        var exits = bench.options.build().exit();
        return ToolServerOptions.builder()
                .version("1")
                .listen(bench.listener)
                .logger(bench.log)
                .exit(exits)
                .build();
    }

    @Test
    void b7NoExceptionHandlerIsInstalledIfDisabled() throws Exception {
        var before = Thread.getDefaultUncaughtExceptionHandler();
        try (var bench = new ServeBench()) {
            bench.server().start();

            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
        }
        try (var test = new ServeBench()) {
            var server = ToolServer.create(ToolServerOptions.builder()
                    .version("1")
                    .mode(ServerMode.TEST)
                    .listen(test.listener)
                    .logger(test.log)
                    .build());
            server.start();

            assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
            server.close();
        }
    }

    /** Cannot be opened. */
    private record BrokenListener(Throwable why) implements Listener {
        @Override
        public void start(Acceptor acceptor) {
            if (why instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) why;
        }

        @Override
        public URI address() {
            return URI.create("memory:broken");
        }

        @Override
        public void stopAccepting() {}

        @Override
        public void close() {}
    }

    /** Opens once it is closed, even if it is interrupted, so that it must be closed again. */
    private static final class StuckListener implements Listener {
        private final AtomicInteger closed = new AtomicInteger();
        private final CompletableFuture<Boolean> firstClose = new CompletableFuture<>();

        @Override
        public void start(Acceptor acceptor) {
            firstClose.join();
        }

        @Override
        public URI address() {
            return URI.create("memory:stuck");
        }

        @Override
        public void stopAccepting() {}

        @Override
        public void close() {
            closed.incrementAndGet();
            firstClose.complete(true);
        }
    }
}
