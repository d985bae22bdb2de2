package io.mcpbridge.sandbox.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.util.List;
import java.util.Map;

/** A program that starts one child at a level, tells that it is there, and then does nothing until it is killed. */
final class LaunchingProgram {

    private LaunchingProgram() {}

    /** Takes the level, a script for a shell and its one argument; the script says a line when it is ready. */
    public static void main(String[] arguments) throws Exception {
        var launcher = SandboxLauncher.open(Settings.of(Map.of()), PlainProcessLauncher.apart(), System.getenv());
        var words = List.of("sh", "-c", arguments[1], "sh", arguments[2]);
        var command = Command.of(words, Map.of("PATH", System.getenv("PATH")));
        var child = launcher.launch(command.requiring(SandboxLevel.valueOf(arguments[0])));
        var first = child.stdout().read();
        System.out.println(first < 0 ? new String(child.stderr().readAllBytes(), UTF_8) : "ready");
        Thread.currentThread().join();
    }
}
