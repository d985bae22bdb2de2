package io.mcpbridge.gateway;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.standard.NoopAuditSink;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Which audit the configuration wants.
 *
 * @param sink the name of the sink
 * @param mode what becomes of calls whose records cannot be kept
 * @param opening opens the sink
 */
record AuditChoice(String sink, AuditMode mode, Function<Environment, AuditSink> opening) {
    private static final String NOTHING = "noop";
    private static final String USUAL = "file";

    /**
     * Reads the section to its last key and opens nothing. One that names no sink means the file.
     *
     * @throws ConfigurationException with every mistake in it, or if the sink is not there
     */
    static AuditChoice of(Settings section) {
        var sink = section.text("sink", USUAL);
        var provider = section.locate(() -> provider(sink));
        var problems = new LinkedHashSet<String>();
        var mode = choose(() -> mode(section, sink), problems);
        var unused = choose(() -> checked(provider, section), problems);
        if (!problems.isEmpty()) {
            throw ConfigurationException.ofAll(List.copyOf(problems));
        }
        return new AuditChoice(sink, mode.orElseThrow(), opening(mode.orElseThrow(), provider, section));
    }

    /** Where it is off not even a folder is made: whoever switched the audit off may have no place for it. */
    private static Function<Environment, AuditSink> opening(
            AuditMode mode, AuditSinkProvider provider, Settings section) {
        return mode == AuditMode.OFF
                ? environment -> new NoopAuditSink()
                : environment -> provider.open(section, environment);
    }

    /** With a sink that the program hands in; only the mode is read. */
    static AuditChoice handedIn(AuditSink sink, Settings section) {
        return new AuditChoice("of the program", mode(section, ""), environment -> sink);
    }

    private static AuditMode mode(Settings section, String sink) {
        var ours = section.only(Set.of("sink", "mode"));
        ours.ignore("sink");
        var mode = AuditMode.of(ours);
        var keepsNothing = sink.equals(NOTHING);
        if (keepsNothing && mode.isRequired()) {
            ours.reject("mode", "'best-effort' or 'off' where the sink is 'noop', which keeps no record");
        }
        return ours.finish(() -> keepsNothing ? AuditMode.OFF : mode);
    }

    private static boolean checked(AuditSinkProvider provider, Settings section) {
        provider.check(section);
        return true;
    }

    private static <T> Optional<T> choose(Supplier<T> choice, Set<String> problems) {
        try {
            return Optional.of(choice.get());
        } catch (ConfigurationException wrong) {
            problems.addAll(wrong.problems());
            return Optional.empty();
        }
    }

    private static AuditSinkProvider provider(String name) {
        var found = Providers.of(AuditSinkProvider.class);
        if (!found.names().contains(name)) {
            throw ConfigurationException.of(
                    "'sink' is '%s' but must be one that is there; %sfound are %s. Add the artifact io.mcpbridge:mcp-bridge-audit, or choose 'noop'"
                            .formatted(name, Nearest.question(name, found.names()), found.names()));
        }
        return found.named(name);
    }

    AuditSink open(Environment environment) {
        return opening.apply(environment);
    }
}
