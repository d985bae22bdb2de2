package io.mcpbridge.sandbox.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The kernel that the bridge runs on, and whether the bridge is root. */
final class HostSystem {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern ROOT = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+0\\s");

    private HostSystem() {}

    static boolean isLinux() {
        return System.getProperty("os.name", "").equals("Linux");
    }

    static boolean weAreRoot() {
        try {
            return ROOT.matcher(Files.readString(STATUS, StandardCharsets.ISO_8859_1))
                    .find();
        } catch (IOException noLinux) {
            return false;
        }
    }

    /** Whether the kernel counts the processes of a user per namespace. Before Linux 5.14 it counted all of them. */
    static boolean countsByNamespace() {
        return countsByNamespace(System.getProperty("os.version", ""));
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
