package io.mcpbridge.cli;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.cli.demo.DemoServer;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;

/** {@code mcp-bridge demo-server}: a demo server over standard input and output. */
@Command(name = "demo-server", hidden = true, description = "Serves the demo tools over standard input and output.")
final class DemoServerCommand implements Callable<Integer> {

    @Override
    public Integer call() throws InterruptedException {
        var ended = new CountDownLatch(1);
        try (var environment = StandardEnvironment.open();
                var server = DemoServer.stdio(environment.environment(), intake -> new ObservedIntake(intake, ended))) {
            server.start();
            ended.await();
            return ExitCode.OK;
        }
    }

    /** Counts {@code ended} down when the client disconnects. */
    private record ObservedIntake(Intake intake, CountDownLatch ended) implements Intake {

        @Override
        public void received(Exchange exchange) {
            intake.received(exchange);
        }

        @Override
        public void closed() {
            intake.closed();
            ended.countDown();
        }
    }
}
