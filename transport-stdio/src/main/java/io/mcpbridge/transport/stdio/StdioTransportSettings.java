package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.FormatMethod;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.ProcessLimits.KernelFolders;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Settings of a server that runs as a child process.
 *
 * @param command the program, as a name on the search path or as a path
 * @param args its arguments, passed unchanged; no shell interprets them
 * @param env variables in addition to the few that every child inherits from the bridge
 * @param cwd its working folder, which must exist; the empty path for the bridge's own
 * @param stopTimeout how long the child may take to end after its input was closed, and again after TERM
 * @param maxQueued how many messages may wait until it reads its input
 * @param maxQueuedBytes how many bytes of messages may wait; a single message may always wait
 * @param confinement its sandbox level and its limits
 * @param sha256 the SHA-256 that the program must have, in hexadecimal digits; empty for any
 */
public record StdioTransportSettings(
        String command,
        List<String> args,
        Map<String, String> env,
        Path cwd,
        Duration stopTimeout,
        int maxQueued,
        int maxQueuedBytes,
        SandboxSettings confinement,
        String sha256) {

    private static final Path DEFAULT_FOLDER = Path.of("");

    /** The defaults; there is no default command. */
    public static final StdioTransportSettings DEFAULTS = new StdioTransportSettings(
            "mcp-server",
            List.of(),
            Map.of(),
            DEFAULT_FOLDER,
            Duration.ofSeconds(5),
            1024,
            16 << 20,
            SandboxSettings.DEFAULTS,
            "");

    public StdioTransportSettings {
        args = List.copyOf(args);
        env = Map.copyOf(env);
        var refusals = new MistakeCollector();
        refusals.unless(!command.isBlank(), "command", command, "the name of a program");
        refuse(refusals, hasNul(command), "'command' holds a NUL character but must not");
        for (int i = 0; i < args.size(); i++) {
            refuse(refusals, hasNul(args.get(i)), "'args' holds a NUL character in argument %d but must not", i + 1);
        }
        env.forEach((name, value) -> {
            var isName = !name.isEmpty() && name.indexOf('=') < 0 && !hasNul(name);
            refuse(refusals, !isName, "'env' has the name '%s' but a name must be a text without '=' and NUL", name);
            refuse(refusals, hasNul(value), "'env' holds a NUL character in the value of '%s' but must not", name);
        });
        refusals.unless(Files.isDirectory(cwd), "cwd", cwd, "a folder that is there")
                .unless(!stopTimeout.isNegative(), "stop-timeout", stopTimeout, "zero or longer")
                .unless(maxQueued >= 1, "max-queued", maxQueued, "at least 1")
                .unless(maxQueuedBytes >= 1, "max-queued-bytes", maxQueuedBytes, "at least 1")
                .unless(sha256.isEmpty() || ProgramPin.isOne(sha256), "sha256", sha256, "64 hexadecimal digits")
                .unless(
                        !confinement.limits().hidesFiles() || !shows(cwd),
                        "cwd",
                        cwd,
                        "neither in '/proc', '/sys' or '/dev' nor above them where 'readable' or 'writable' hides"
                                + " other files")
                .throwIfAny();
    }

    /** The program and its arguments, with defaults for the rest. */
    public static StdioTransportSettings of(String command, List<String> args) {
        return new StdioTransportSettings(
                command,
                args,
                DEFAULTS.env,
                DEFAULTS.cwd,
                DEFAULTS.stopTimeout,
                DEFAULTS.maxQueued,
                DEFAULTS.maxQueuedBytes,
                DEFAULTS.confinement,
                DEFAULTS.sha256);
    }

    /**
     * Reads a server's section; a key that is absent keeps its default. The command runs as it is configured, whatever
     * program it names.
     */
    public static StdioTransportSettings from(Settings settings) {
        settings.ignore("type");
        var command = settings.requiredText("command");
        var args = settings.texts("args");
        var env = settings.textsByName("env");
        var cwd = cwd(settings);
        var stopTimeout = settings.duration("stop-timeout", DEFAULTS.stopTimeout);
        var maxQueued = settings.integer("max-queued", DEFAULTS.maxQueued);
        var maxQueuedBytes = settings.integer("max-queued-bytes", DEFAULTS.maxQueuedBytes);
        var confinement =
                settings.noting(() -> SandboxSettings.from(settings.section("sandbox")), SandboxSettings.DEFAULTS);
        var sha256 = settings.text("sha256", "");
        return settings.finish(() -> new StdioTransportSettings(
                command, args, env, cwd, stopTimeout, maxQueued, maxQueuedBytes, confinement, sha256));
    }

    /** Names only the program, since arguments and variables may be secrets. */
    @Override
    public String toString() {
        return "StdioTransportSettings[" + command + "]";
    }

    private static Path cwd(Settings settings) {
        var text = settings.text("cwd", "");
        if (hasNul(text)) {
            settings.reject("cwd", "a path without NUL");
            return DEFAULTS.cwd;
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException wrong) {
            settings.reject("cwd", "a path in the letters of our locale, which LC_ALL=C.UTF-8 has all of");
            return DEFAULTS.cwd;
        }
    }

    /** Whether the folder would be empty for the child, or would contain files that its limits hide. */
    private static boolean shows(Path folder) {
        return !folder.equals(DEFAULT_FOLDER) && KernelFolders.showThrough(folder);
    }

    private static boolean hasNul(String text) {
        return text.indexOf('\0') >= 0;
    }

    @FormatMethod
    private static void refuse(MistakeCollector refusals, boolean isWrong, String problem, Object... values) {
        if (isWrong) {
            refusals.add(problem.formatted(values));
        }
    }
}
