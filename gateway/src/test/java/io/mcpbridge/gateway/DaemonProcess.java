package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A daemon in a separate process with signal handlers; closing it kills it. */
final class DaemonProcess implements AutoCloseable {
    private final Process process;
    private final Path log;

    private DaemonProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static DaemonProcess start(Path configuration, Path log) throws Exception {
        return start(List.of(), configuration, log);
    }

    /** In an ASCII locale. */
    static DaemonProcess startInPlainLocale(Path configuration, Path log) throws Exception {
        return start(List.of("env", "LC_ALL=C"), configuration, log);
    }

    /** In a process group of its own, as a shell starts it at a terminal. */
    static DaemonProcess startInItsGroup(Path configuration, Path log) throws Exception {
        return start(List.of("setsid"), configuration, log);
    }

    private static DaemonProcess start(List<String> before, Path configuration, Path log) throws Exception {
        var command = new ArrayList<>(before);
        command.addAll(withDefaultSignals());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DaemonProgram.class.getName(),
                configuration.toString()));
        var started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new DaemonProcess(started, log);
    }

    /** Children of a background build inherit ignored INT and HUP; GNU {@code env} resets that. */
    private static List<String> withDefaultSignals() throws Exception {
        var mended = List.of("env", "--default-signal=HUP,INT");
        var tried = new ArrayList<>(mended);
        tried.add("true");
        var trial = new ProcessBuilder(tried).redirectErrorStream(true).start();
        return trial.waitFor() == 0 ? mended : List.of();
    }

    void signal(String name) throws Exception {
        var sent = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
        assertThat(sent.waitFor()).isZero();
    }

    /** Signals the whole process group, like the keys of a terminal. */
    void signalGroup(String name) throws Exception {
        var sent = new ProcessBuilder("kill", "-" + name, "--", "-" + process.pid()).start();
        assertThat(sent.waitFor()).isZero();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    Stream<ProcessHandle> descendants() {
        return process.descendants();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    boolean logged(String words) {
        return log().contains(words);
    }

    /** What it has said so far. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
