package io.mcpbridge.peers;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.testkit.InMemoryListener;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A program with a server of tools that ends in the way which its argument names. */
final class EndingProgram {
    private EndingProgram() {}

    public static void main(String[] arguments) throws InterruptedException {
        switch (arguments[0]) {
            case "uncaught" -> failOnAThread();
            case "unwanted" -> failWithoutHandlers();
            case "hook" -> failInShutdownHook();
            case "late" -> startAndFail();
            default -> throw new IllegalArgumentException("'%s' is no end".formatted(arguments[0]));
        }
    }

    private static ToolServerOptions.Builder options() {
        return ToolServerOptions.builder().version("1").listen(new InMemoryListener());
    }

    private static void fail() {
        throw new IllegalStateException("nobody catches me");
    }

    private static void failOnAThread() throws InterruptedException {
        try (var server = ToolServer.create(options().build())) {
            server.start();
            new Thread(EndingProgram::fail).start();
            server.awaitStop();
        }
    }

    private static void failWithoutHandlers() throws InterruptedException {
        try (var server = ToolServer.create(options().withoutGlobalHandlers().build())) {
            server.start();
            var failing = new Thread(EndingProgram::fail);
            failing.start();
            failing.join();
            System.out.println("goes on");
        }
    }

    private static void failInShutdownHook() throws InterruptedException {
        var server = ToolServer.create(options().build());
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(EndingProgram::fail));
        System.exit(3);
    }

    private static void startAndFail() throws InterruptedException {
        var options = options().listen(new DeafListener()).startupTimeout(Duration.ofMillis(50));
        try (var server = ToolServer.create(options.build())) {
            server.start();
        } catch (TransportException late) {
            System.out.println(late.getMessage());
        }
    }

    /** Never opens, even if it is interrupted. */
    private static final class DeafListener implements Listener {
        @Override
        public void start(Acceptor acceptor) {
            while (true) {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException ignored) {
                    // It does not care.
                }
            }
        }

        @Override
        public URI address() {
            return URI.create("memory:deaf");
        }

        @Override
        public void stopAccepting() {}

        @Override
        public void close() {}
    }
}
