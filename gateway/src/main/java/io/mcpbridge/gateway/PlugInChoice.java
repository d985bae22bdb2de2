package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeSettings.PlugInSections;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.process.SandboxChoice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

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
        var problems = new ArrayList<String>();
        // Resolved now: otherwise each server would be left out for the same reason.
        var policy = choose(() -> plugins.policyOf(sections.retry(), "safe"), problems);
        var audit = choose(() -> options.audit(sections.audit()), problems);
        var sandbox = choose(() -> SandboxChoice.of(sections.sandbox()), problems);
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems);
        }
        return new PlugInChoice(policy.orElseThrow(), audit.orElseThrow(), sandbox.orElseThrow());
    }

    /** The choice, or nothing after its problems were added to the others. */
    static <T> Optional<T> choose(Supplier<T> choice, Collection<String> problems) {
        try {
            return Optional.of(choice.get());
        } catch (ConfigurationException wrong) {
            problems.addAll(wrong.problems());
            return Optional.empty();
        }
    }
}
