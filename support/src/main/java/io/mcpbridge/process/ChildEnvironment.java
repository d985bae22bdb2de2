package io.mcpbridge.process;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Selects the environment variables of a child: a few of the bridge's own, and all that its configuration sets.
 *
 * <p>The bridge's variables may contain secrets, so a child gets only those that programs usually need. Configured
 * variables take precedence. A child without a locale gets a UTF-8 one, since the protocol is UTF-8.
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
     * @param own the bridge's variables; only those on the list are passed on
     * @param configured the variables that the child's configuration sets; all are passed on
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

    /** Whether the bridge passes its own variable with this name to a child. */
    public static boolean isAllowed(String name) {
        return ALLOWED.contains(name) || name.startsWith(ALLOWED_PREFIX);
    }

    /** A shell would execute the value. */
    private static boolean isShellFunction(String value) {
        return value.startsWith("()");
    }
}
