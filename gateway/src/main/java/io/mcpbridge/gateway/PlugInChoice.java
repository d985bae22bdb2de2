package io.mcpbridge.gateway;

import io.mcpbridge.config.BridgeSettings.PlugInSections;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.process.SandboxChoice;
import io.mcpbridge.routing.Plugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The plug-ins that the configuration chooses for the whole daemon. What the daemon cannot give is refused rather
 * than passed over, since an operator relies on it.
 *
 * @param retryPolicy for servers that name none
 * @param audit what is recorded of calls, and where
 * @param sandbox how firmly children are held
 */
record PlugInChoice(String retryPolicy, AuditChoice audit, SandboxChoice sandbox) {

    /**
     * Reads the sections. Where the configuration names no retry policy, only what is {@code safe} is repeated.
     *
     * @throws ConfigurationException with every mistake in them, or if what they choose is not there
     */
    static PlugInChoice of(PlugInSections sections, DaemonOptions options, Plugins plugins) {
        var problems = new ArrayList<String>();
        // Asked now, since otherwise each server would be left out for the same reason.
        var policy = choose(() -> plugins.policyOf(sections.retry(), "safe"), problems);
        var audit = choose(() -> options.audit(sections.audit()), problems);
        var sandbox = choose(() -> SandboxChoice.of(sections.sandbox()), problems);
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(problems);
        }
        return new PlugInChoice(policy.orElseThrow(), audit.orElseThrow(), sandbox.orElseThrow());
    }

    private static <T> Optional<T> choose(Supplier<T> choice, List<String> problems) {
        try {
            return Optional.of(choice.get());
        } catch (ConfigurationException wrong) {
            problems.addAll(wrong.problems());
            return Optional.empty();
        }
    }
}
