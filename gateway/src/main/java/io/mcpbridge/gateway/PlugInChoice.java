package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeSettings.PlugInSections;
import io.mcpbridge.engine.AuditSinkChoice;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.SandboxChoice;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;

/**
 * The plug-ins that the configuration selects for the whole daemon. A missing plug-in is an error and never ignored.
 *
 * @param retryPolicy the policy of servers that name none
 * @param audit the audit sink and mode
 * @param sandbox the sandbox level of children
 */
record PlugInChoice(String retryPolicy, AuditSinkChoice audit, SandboxChoice sandbox) {

    /**
     * Reads the sections. The default retry policy is {@code safe}.
     *
     * @throws ConfigurationException with every mistake in them, or if a plug-in is not installed
     */
    static PlugInChoice of(PlugInSections sections, DaemonOptions options, Plugins plugins) {
        var mistakes = new MistakeCollector();
        // Resolved now, so that a missing policy is reported once instead of for each server.
        var policy = mistakes.collect(() -> retryPolicy(sections.retry(), plugins));
        var audit = mistakes.collect(() -> options.audit(sections.audit()));
        var sandbox = mistakes.collect(() -> SandboxChoice.of(sections.sandbox()));
        mistakes.throwIfAny();
        return new PlugInChoice(policy.orElseThrow(), audit.orElseThrow(), sandbox.orElseThrow());
    }

    /** Returns the name of the retry policy of servers that name none. */
    static String retryPolicy(Settings section, Plugins plugins) {
        return plugins.policyOf(section, "safe");
    }
}
