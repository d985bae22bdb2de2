package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Limits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** What depends on the kernel that we run on, and on who we are to it. */
final class Kernel {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern ROOT = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+0\\s");

    private Kernel() {}

    static boolean isLinux() {
        return System.getProperty("os.name", "").equals("Linux");
    }

    /** Whether we may do what only root may. */
    static boolean weAreRoot() {
        try {
            return ROOT.matcher(Files.readString(STATUS, StandardCharsets.ISO_8859_1))
                    .find();
        } catch (IOException noLinux) {
            return false;
        }
    }

    /**
     * Words that set limits within a user namespace, or without one for root, whose processes the system does not count.
     * Before Linux 5.14 all processes of a user counted, wherever they were.
     */
    static List<String> limitWords(Tools tools, Limits limits, boolean isRoot) {
        return !isRoot && countsByNamespace(System.getProperty("os.version", ""))
                ? Rlimits.wordsInNamespace(tools, limits)
                : Rlimits.words(tools, limits);
    }

    static boolean countsByNamespace(String version) {
        var parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return false;
        }
        var major = Integer.parseInt(parts.group(1));
        return major > 5 || (major == 5 && Integer.parseInt(parts.group(2)) >= 14);
    }
}
