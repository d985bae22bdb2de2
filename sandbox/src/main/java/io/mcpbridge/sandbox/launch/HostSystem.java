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
    private static final Pattern IDS = Pattern.compile("(?m)^[UG]id:\\s+\\d+\\s+(\\d+)\\s");

    private HostSystem() {}

    static boolean isLinux() {
        return System.getProperty("os.name", "").equals("Linux");
    }

    static boolean weAreRoot() {
        return ids().user().equals("0");
    }

    /** The effective ids of the bridge; empty texts where there is no Linux. */
    static Ids ids() {
        try {
            var found = IDS.matcher(Files.readString(STATUS, StandardCharsets.ISO_8859_1))
                    .results()
                    .map(line -> line.group(1))
                    .toList();
            return new Ids(found.get(0), found.get(1));
        } catch (IOException noLinux) {
            return new Ids("", "");
        }
    }

    /** The numbers of a user and of its group. */
    record Ids(String user, String group) {}

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
