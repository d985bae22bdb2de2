package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The faulty server as a child process. */
@Timeout(60)
class FaultyServerMainTest {
    private final List<Process> started = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void end() {
        started.forEach(child -> {
            child.descendants().forEach(ProcessHandle::destroyForcibly);
            child.destroyForcibly();
        });
    }

    private Process start(String... arguments) throws IOException {
        var child = new ProcessBuilder(FaultyServerMain.command(arguments)).start();
        started.add(child);
        return child;
    }

    private static LineTalk talk(Process child) {
        return new LineTalk(child.getInputStream(), child.getOutputStream());
    }

    @Test
    void serverEchoesCountsAndEndsWithItsInput() throws Exception {
        var child = start("--state", folder.toString());
        var talk = talk(child);
        talk.initialize();
        assertThat(talk.next()).contains("\"protocolVersion\":\"2025-11-25\"");

        talk.call(1, "echo", "{\"text\":\"hello\"}");
        assertThat(talk.next()).contains("\"id\":1", "hello");
        talk.call(2, "count", "{\"key\":\"a\"}");
        assertThat(talk.next()).contains("\"text\":\"1\"");
        talk.call(3, "count", "{\"key\":\"a\"}");
        assertThat(talk.next()).contains("\"text\":\"2\"");
        child.getOutputStream().close();

        assertThat(exitCode(child)).isZero();
        assertThat(ExecutionCounter.in(folder).executions("a")).isEqualTo(2);
        assertThat(ExecutionCounter.in(folder).starts()).isEqualTo(1);
    }

    @Test
    void serverExitsAtTheNamedCall() throws Exception {
        var child = start("--at", "on-request:2=exit:7");
        var talk = talk(child);
        talk.initialize();
        talk.next();
        talk.call(1, "echo", "{}");
        assertThat(talk.next()).contains("\"id\":1");

        talk.call(2, "echo", "{}");

        assertThat(talk.next()).isEqualTo("end");
        assertThat(exitCode(child)).isEqualTo(7);
    }

    @Test
    void crashToolExitsTheServer() throws Exception {
        var child = start();

        talk(child).call(1, "crash", "{\"code\":9}");

        assertThat(exitCode(child)).isEqualTo(9);
    }

    @Test
    void startsAreCountedAcrossRestarts() throws Exception {
        var arguments = new String[] {"--state", folder.toString(), "--at", "start:1=exit:3"};

        assertThat(exitCode(start(arguments))).isEqualTo(3);
        var second = talk(start(arguments));
        second.initialize();

        assertThat(second.next()).contains("\"result\"");
    }

    @Test
    void serverIgnoresTermination() throws Exception {
        var child = start("--at", "start=ignore-term", "--at", "on-stdin-eof=hang");
        var talk = talk(child);
        talk.initialize();
        talk.next();

        child.toHandle().destroy();
        talk.call(1, "echo", "{\"text\":\"still there\"}");
        assertThat(talk.next()).contains("still there");
        child.getOutputStream().close();

        assertThat(child.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
    }

    @Test
    void serverLeavesAGrandchild() throws Exception {
        var child = start("--at", "on-request=grandchild:50");
        var talk = talk(child);
        talk.call(1, "echo", "{}");
        talk.next();

        assertThat(child.descendants()).hasSize(1);
    }

    @Test
    void serverSpeaksTheModernEraFromItsSecondStart() throws Exception {
        var arguments = new String[] {"--state", folder.toString(), "--at", "start:2+=era:modern"};
        var first = talk(start(arguments));
        first.ask(1, "server/discover", "{}");
        assertThat(first.next()).contains("-32601");

        var second = talk(start(arguments));
        second.ask(1, "server/discover", "{}");

        assertThat(second.next()).contains("\"supportedVersions\":[\"2026-07-28\"]", "\"resultType\":\"complete\"");
    }

    @Test
    void wrongArgumentIsQuoted() throws Exception {
        var child = start("--at", "start=explode");

        assertThat(exitCode(child)).isEqualTo(2);
        assertThat(new String(child.getErrorStream().readAllBytes(), UTF_8))
                .startsWith("there is no fault 'explode'; there are exit, hang");
    }

    private static int exitCode(Process child) throws InterruptedException {
        assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return child.exitValue();
    }
}
