package io.mcpbridge.gateway;

import io.mcpbridge.spi.ProcessLauncher;

/**
 * The sandbox level of the children of a daemon.
 *
 * @param level the default level, such as {@code L2}, or the empty string if it is not known
 * @param remark why higher levels are not available, as far as they were tried, or the empty string
 */
public record DefaultSandboxLevel(String level, String remark) {

    static DefaultSandboxLevel of(ProcessLauncher launcher) {
        return new DefaultSandboxLevel(
                launcher.level().name(), launcher.remark().orElse(""));
    }
}
