package io.mcpbridge.sandbox.worker;

import java.lang.reflect.Modifier;
import java.util.Arrays;

/** Whether workers can make a tool of a class, which they have by its name alone. */
final class ToolClass {

    private ToolClass() {}

    /**
     * Tells it where the tool is registered, rather than by its first call.
     *
     * @throws IllegalArgumentException if they cannot
     */
    static void require(Class<? extends SandboxedTool> tool) {
        if (tool.isHidden()) {
            throw refused(tool, "it has no name that another process could find, as lambdas have none; write a class");
        }
        if (Modifier.isAbstract(tool.getModifiers())) {
            throw refused(tool, "it is abstract; name a class that can be made");
        }
        if (Arrays.stream(tool.getDeclaredConstructors()).noneMatch(each -> each.getParameterCount() == 0)) {
            throw refused(
                    tool,
                    "it has no constructor without arguments; add one, and make a class within another one static");
        }
    }

    private static IllegalArgumentException refused(Class<?> tool, String why) {
        return new IllegalArgumentException("'%s' cannot run in workers: %s".formatted(tool.getName(), why));
    }
}
