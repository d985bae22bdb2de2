package io.mcpbridge.transport.stdio;

import com.google.errorprone.annotations.FormatMethod;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.KernelFolders;
import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How to start a server as a child and how to treat it.
 *
 * @param command the program, as a name on the search path or as a path
 * @param args its arguments, handed over as they are; no shell sees them
 * @param env variables that it gets beside the few of ours that every child gets
 * @param cwd its working folder, which is there when this is made; the empty path for our own
 * @param stopPatience how long it may take to end after its input was closed, and again after TERM
 * @param maxQueued messages that may wait for it to read its input
 * @param maxQueuedBytes bytes of messages that may wait; a single message always may
 * @param confinement how firmly it is held, and what it may use
 * @param sha256 what the SHA-256 of the program's file must be, in hexadecimal digits; the empty text for any
 */
public record StdioSettings(
        String command,
        List<String> args,
        Map<String, String> env,
        Path cwd,
        Duration stopPatience,
        int maxQueued,
        int maxQueuedBytes,
        Confinement confinement,
        String sha256) {

    private static final Path DEFAULT_FOLDER = Path.of("");

    /** What is not said of a server; the command has to be. */
    public static final StdioSettings DEFAULTS =
            new StdioSettings("mcp-server", List.of(), Map.of(), DEFAULT_FOLDER, Duration.ofSeconds(5), 1024, 16 << 20);

    public StdioSettings {
        args = List.copyOf(args);
        env = Map.copyOf(env);
        var refusals = new Refusals();
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
                .unless(!stopPatience.isNegative(), "stop-patience", stopPatience, "zero or longer")
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

    /** A child that is held as its launcher sees fit. */
    public StdioSettings(
            String command,
            List<String> args,
            Map<String, String> env,
            Path cwd,
            Duration stopPatience,
            int maxQueued,
            int maxQueuedBytes) {
        this(command, args, env, cwd, stopPatience, maxQueued, maxQueuedBytes, Confinement.USUAL, "");
    }

    /** The program and its arguments, with defaults for the rest. */
    public static StdioSettings of(String command, List<String> args) {
        return new StdioSettings(
                command,
                args,
                DEFAULTS.env,
                DEFAULTS.cwd,
                DEFAULTS.stopPatience,
                DEFAULTS.maxQueued,
                DEFAULTS.maxQueuedBytes);
    }

    /**
     * Reads a server's section; a key that is absent keeps its default. A command line that runs a text, such as {@code
     * sh -c}, is refused unless {@code allow-shell} is true; whoever makes the settings in code has chosen it.
     */
    public static StdioSettings from(Settings settings) {
        settings.ignore("type");
        var command = settings.requiredText("command");
        var args = settings.texts("args");
        requireConsent(settings, command, args);
        var env = settings.textsByName("env");
        var cwd = cwd(settings);
        var stopPatience = settings.duration("stop-patience", DEFAULTS.stopPatience);
        var maxQueued = settings.integer("max-queued", DEFAULTS.maxQueued);
        var maxQueuedBytes = settings.integer("max-queued-bytes", DEFAULTS.maxQueuedBytes);
        var confinement = settings.noting(() -> Confinement.from(settings.section("sandbox")), Confinement.USUAL);
        var sha256 = settings.text("sha256", "");
        return settings.finish(() -> new StdioSettings(
                command, args, env, cwd, stopPatience, maxQueued, maxQueuedBytes, confinement, sha256));
    }

    /** Names the program alone, since arguments and variables may be secrets. */
    @Override
    public String toString() {
        return "StdioSettings[" + command + "]";
    }

    private static void requireConsent(Settings settings, String command, List<String> args) {
        // One that is neither true nor false is a mistake already.
        var isAllowed = settings.has("allow-shell") && settings.flag("allow-shell", true);
        ShellText.runner(command, args)
                .filter(runner -> !isAllowed)
                .ifPresent(runner -> settings.reject(
                        "command",
                        "a program that runs no text, as '%s' does here; '\"allow-shell\": true' allows it"
                                .formatted(runner)));
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

    /** Whether a folder that is named is one that a child sees none of, or all files. */
    private static boolean shows(Path folder) {
        return !folder.equals(DEFAULT_FOLDER) && KernelFolders.showThrough(folder);
    }

    private static boolean hasNul(String text) {
        return text.indexOf('\0') >= 0;
    }

    @FormatMethod
    private static void refuse(Refusals refusals, boolean isWrong, String problem, Object... values) {
        if (isWrong) {
            refusals.add(problem.formatted(values));
        }
    }
}
