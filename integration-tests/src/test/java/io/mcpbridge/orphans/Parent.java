package io.mcpbridge.orphans;

import io.mcpbridge.spi.SandboxLevel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java process that starts everything and reports it; the test ends it. */
final class Parent implements AutoCloseable {
    private final Process process;

    private Parent(Process process) {
        this.process = process;
    }

    /** Starts {@code main}, which gets the run of the marks and the levels, and waits for its word. */
    static Parent start(Class<?> main, Marks marks, List<SandboxLevel> levels) throws IOException {
        return start(List.of(), main, marks, levels);
    }

    /** The same behind the words of another program. */
    static Parent start(List<String> before, Class<?> main, Marks marks, List<SandboxLevel> levels) throws IOException {
        var words = new ArrayList<>(before);
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-XX:+ExitOnOutOfMemoryError"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName(), marks.run()));
        levels.forEach(level -> words.add(level.name()));
        var parent = new Parent(new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        parent.awaitReady();
        return parent;
    }

    private void awaitReady() throws IOException {
        var line =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)).readLine();
        if (!"ready".equals(line)) {
            close();
            throw new IllegalStateException("the parent is not ready, but says: " + line);
        }
    }

    /** The end of its input; returns its exit code. */
    int endInput() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return exitCode();
    }

    /** By its handle, since {@link Process#destroy} ends its input too. */
    int terminate() throws InterruptedException {
        process.toHandle().destroy();
        return exitCode();
    }

    int kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        return exitCode();
    }

    private int exitCode() throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the parent does not end");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
