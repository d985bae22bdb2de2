package io.mcpbridge.process;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The environment of a child: a few of our own variables, and what its configuration says.
 *
 * <p>Our own may hold secrets, so only those pass that programs need to find their way. What is configured
 * goes first. A child without a locale gets one that speaks UTF-8, as the protocol does.
 */
public final class ChildEnvironment {
    private static final Set<String> ALLOWED =
            Set.of("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LC_ALL", "TZ", "TMPDIR");
    private static final String ALLOWED_PREFIX = "XDG_";
    private static final String UTF_8_LOCALE = "C.UTF-8";

    private ChildEnvironment() {}

    /**
     * The whole environment of a child.
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

    /** Whether a child gets to see our own variable of this name. */
    public static boolean isAllowed(String name) {
        return ALLOWED.contains(name) || name.startsWith(ALLOWED_PREFIX);
    }

    /** A shell would run what stands there. */
    private static boolean isShellFunction(String value) {
        return value.startsWith("()");
    }
}
