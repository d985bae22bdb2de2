package io.mcpbridge.cli;

import io.mcpbridge.upstream.introduction.Identity;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} and {@code version} print. */
final class VersionText implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "mcp-bridge " + Identity.OURS.version(),
            "Java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
        };
    }
}
