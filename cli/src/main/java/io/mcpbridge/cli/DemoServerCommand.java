package io.mcpbridge.cli;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.cli.demo.DemoServer;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;

/** {@code mcp-bridge demo-server}: serves the demo tools over standard input and output. */
@Command(name = "demo-server", hidden = true, description = "Serves the demo tools over standard input and output.")
final class DemoServerCommand implements Callable<Integer> {

    @Override
    public Integer call() throws InterruptedException {
        var ended = new CountDownLatch(1);
        try (var environment = StandardEnvironment.open();
                var server = DemoServer.stdio(environment.environment(), ended::countDown)) {
            server.start();
            ended.await();
            return ExitCode.OK;
        }
    }
}
