package io.mcpbridge.process;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment of a child: a few of our own variables, and what its configuration says.
 *
 * <p>Our own may hold secrets, so only those pass that programs usually need. Configured variables win. A child without a
 * locale gets one of UTF-8, the encoding of the protocol.
 */
public final class ChildEnvironment {
    private static final Set<String> ALLOWED =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "TMPDIR");
    private static final String ALLOWED_PREFIX = "XDG_";
    private static final String UTF_8_LOCALE = "C.UTF-8";

    private ChildEnvironment() {}

    /**
     * Returns the whole environment of a child.
     *
     * @param own our variables, of which only those on the list pass
     * @param configured what the child's configuration says; all of it passes
     */
    public static Map<String, String> of(Map<String, String> own, Map<String, String> configured) {
        var variables = new TreeMap<String, String>();
        own.forEach((name, value) -> {
            if (isAllowed(name) && !isShellFunction(value)) {
                variables.put(name, value);
            }
        });
        variables.putAll(configured);
        if (!variables.containsKey("LANG") && !variables.containsKey("LC_ALL")) {
            variables.put("LANG", UTF_8_LOCALE);
        }
        return Map.copyOf(variables);
    }

    /** Whether our own variable of this name passes to a child. */
    public static boolean isAllowed(String name) {
        return ALLOWED.contains(name) || name.startsWith(ALLOWED_PREFIX);
    }

    /** A shell would run the text. */
    private static boolean isShellFunction(String value) {
        return value.startsWith("()");
    }
}
