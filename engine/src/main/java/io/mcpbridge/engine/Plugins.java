package io.mcpbridge.engine;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The providers of transports, retry policies and call stages. Immutable.
 *
 * @param transports by name and by URI scheme
 * @param retryPolicies by name
 * @param stages by name, which is also the key of their sections
 */
public record Plugins(
        Providers<TransportProvider> transports,
        Providers<RetryPolicyProvider> retryPolicies,
        Providers<CallStageProvider> stages) {

    /** Finds the providers on the class path. */
    public static Plugins found() {
        return new Plugins(
                Providers.of(TransportProvider.class),
                Providers.of(RetryPolicyProvider.class),
                Providers.of(CallStageProvider.class));
    }

    /**
     * Returns the provider for a URI's scheme.
     *
     * @throws ConfigurationException if none serves it; the message lists the transports
     */
    public TransportProvider transportFor(String scheme) {
        var asked = scheme.toLowerCase(Locale.ROOT);
        return transports.all().stream()
                .filter(provider -> provider.schemes().contains(asked))
                .findFirst()
                .orElseThrow(() -> ConfigurationException.of(
                        "no transport serves the scheme '%s'; %s".formatted(asked, transports.others(asked))));
    }

    /** Returns {@code chosen}, or {@code otherwise} if it is the empty string. */
    static String policyName(String chosen, String otherwise) {
        return chosen.isEmpty() ? otherwise : chosen;
    }

    /**
     * Creates the retry policy of this name; {@code none} reads no keys.
     *
     * @throws ConfigurationException if the policy does not exist or rejects its section; the message names the artifact
     *     that is probably missing
     */
    RetryPolicy policy(String name, Settings section, Environment environment) {
        return retryPolicies.named(name).create(name.equals("none") ? Settings.of(Map.of()) : section, environment);
    }

    /**
     * Returns the name of the retry policy that the section {@code retry} of the bridge chooses.
     *
     * @param otherwise the name if the section chooses none
     * @throws ConfigurationException with every mistake in the section, or if the policy does not exist
     */
    public String policyOf(Settings section, String otherwise) {
        var name = section.text("policy", otherwise);
        return section.finish(() -> checkedPolicy("policy", name));
    }

    private String checkedPolicy(String key, String name) {
        if (!retryPolicies.names().contains(name)) {
            throw ConfigurationException.of(
                    "'%s' is '%s' but must be a retry policy; %s".formatted(key, name, retryPolicies.others(name)));
        }
        return name;
    }

    /**
     * Creates the daemon-wide stages, which all servers share.
     *
     * @param sections their sections by name
     * @param instance the name of this run of the daemon
     * @throws ConfigurationException with every mistake in the sections
     */
    public Map<Place, CallStage> daemonStages(Settings sections, String instance, Environment environment) {
        return ServerStages.ofDaemon(stages, sections, instance, environment);
    }

    /**
     * Returns the sandbox level of a server's processes; empty if it has none.
     *
     * @throws ConfigurationException if no level fits its section, or the transport does not exist
     */
    public Optional<SandboxLevel> sandbox(ServerSettings server, Environment environment) {
        return server.settings()
                .locate(() -> transports.named(server.type()).sandbox(server.settingsOfCalls(), environment));
    }

    /**
     * Requires that a sandbox level can be applied to a server's processes.
     *
     * @throws ConfigurationException if it is not available on this machine
     */
    public static void requireAvailable(SandboxLevel level, ServerSettings server, Environment environment) {
        environment
                .launcher()
                .missing(level)
                .ifPresent(why -> server.settings().locate(() -> {
                    throw ConfigurationException.of(
                            "the process of server '%s' is to be held at level %s, which is not available here: %s"
                                    .formatted(server.name(), level, why));
                }));
    }

    /**
     * Checks the sections of enabled servers without opening a server.
     *
     * @param defaultPolicy the name of the retry policy of a server that names none
     * @throws ConfigurationException with the mistakes in them
     */
    public void check(List<ServerSettings> servers, String defaultPolicy, Environment environment) {
        var mistakes = new MistakeCollector();
        servers.stream()
                .filter(ServerSettings::enabled)
                .forEach(server -> mistakes.check(() -> check(server, defaultPolicy, environment)));
        mistakes.throwIfAny();
    }

    /**
     * Checks the section of a server with its transport, its stages and its retry policies, without opening the server.
     *
     * @param defaultPolicy the name of the retry policy if the server names none
     * @throws ConfigurationException with the mistakes in it, or if the transport does not exist
     */
    void check(ServerSettings server, String defaultPolicy, Environment environment) {
        var mistakes = new MistakeCollector();
        var section = server.settings();
        check(
                mistakes,
                section,
                () -> transports
                        .named(server.type())
                        .create(section, environment)
                        .close());
        var usual = policyName(server.retry().policy(), defaultPolicy);
        check(mistakes, section, () -> checkPolicy(section, usual, server.policySection(), environment));
        server.tools().forEach((name, tool) -> {
            var ofTool = section.section("tools").section(name);
            var policy = policyName(tool.retry().policy(), defaultPolicy);
            // A tool that changes nothing would repeat the mistakes of its server.
            if (!policy.equals(usual) || !tool.policySection().saysTheSameAs(server.policySection())) {
                check(mistakes, ofTool, () -> checkPolicy(ofTool, policy, tool.policySection(), environment));
            }
        });
        check(mistakes, section, () -> ServerStages.check(stages, server.name(), section, environment));
        mistakes.throwIfAny();
    }

    /** Runs {@code check}; the mistakes that it finds, and a defect of the plug-in, are mistakes in {@code section}. */
    private static void check(MistakeCollector mistakes, Settings section, Runnable check) {
        mistakes.check(() -> section.locate(() -> {
            try {
                check.run();
                return section;
            } catch (BridgeException known) {
                throw known;
            } catch (RuntimeException defect) {
                throw ConfigurationException.of("a plug-in failed: " + defect);
            }
        }));
    }

    private void checkPolicy(Settings section, String name, Settings policySection, Environment environment) {
        if (section.text("retry").isPresent()) {
            var unused = checkedPolicy("retry", name);
        }
        var unused = policy(name, policySection, environment);
    }
}
