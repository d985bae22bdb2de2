package io.mcpbridge.gateway;

import io.mcpbridge.spi.ProcessLauncher;

/**
 * How firmly children of a daemon are held.
 *
 * @param level of servers of which nothing else is said, such as {@code L2}, or the empty string where that is not known
 * @param remark what keeps it from higher levels, as far as these were tried, or the empty string
 */
public record SandboxCondition(String level, String remark) {

    static SandboxCondition of(ProcessLauncher launcher) {
        return new SandboxCondition(launcher.level().name(), launcher.remark().orElse(""));
    }

    JsonObject write(JsonObject json) {
        return json.text("level", level).text("remark", remark);
    }
}
