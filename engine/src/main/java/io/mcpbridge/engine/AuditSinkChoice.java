package io.mcpbridge.engine;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Set;
import java.util.function.Function;

/**
 * The audit sink and mode that the configuration selects.
 *
 * @param sink the name of the sink
 * @param requirement whether calls proceed when their records cannot be written, and how long they wait for them
 * @param opening opens the sink
 */
public record AuditSinkChoice(
        String sink, CallAudit.Requirement requirement, Function<Environment, AuditSink> opening) {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final String NOTHING = "noop";
    private static final String DEFAULT_SINK = "file";

    /**
     * Reads and checks the whole section; opens nothing. The default sink is {@code file}.
     *
     * @throws ConfigurationException with every mistake in it, or if the sink is not installed
     */
    public static AuditSinkChoice of(Settings section) {
        var sink = section.text("sink", DEFAULT_SINK);
        var provider = section.locate(() -> provider(sink));
        var mistakes = new MistakeCollector();
        var requirement = mistakes.collect(() -> requirement(section, sink));
        mistakes.check(() -> provider.check(section));
        mistakes.throwIfAny();
        var required = requirement.orElseThrow();
        return new AuditSinkChoice(sink, required, opening(required.mode(), provider, section));
    }

    /** Creates no folder in mode {@code off}, since no writable place may exist. */
    private static Function<Environment, AuditSink> opening(
            AuditMode mode, AuditSinkProvider provider, Settings section) {
        return mode == AuditMode.OFF
                ? environment -> new NoopAuditSink()
                : environment -> provider.open(section, environment);
    }

    /** Uses a sink of the embedding program; only {@code mode} and {@code wait} are read from the section. */
    public static AuditSinkChoice ofProgram(AuditSink sink, Settings section) {
        return new AuditSinkChoice("of the program", requirement(section, ""), environment -> sink);
    }

    public AuditMode mode() {
        return requirement.mode();
    }

    private static CallAudit.Requirement requirement(Settings section, String sink) {
        var ours = section.only(Set.of("sink", "mode", "wait"));
        ours.ignore("sink");
        var mode = AuditMode.of(ours);
        var wait = ours.duration("wait", WAIT);
        if (wait.compareTo(SHORTEST_WAIT) < 0 || wait.compareTo(LONGEST_WAIT) > 0) {
            ours.reject("wait", "from 10ms to 1m");
        }
        var keepsNothing = sink.equals(NOTHING);
        if (keepsNothing && mode.isRequired()) {
            ours.reject("mode", "'best-effort' or 'off' where the sink is 'noop', which keeps no record");
        }
        return ours.finish(() -> new CallAudit.Requirement(keepsNothing ? AuditMode.OFF : mode, wait));
    }

    private static AuditSinkProvider provider(String name) {
        var found = Providers.of(AuditSinkProvider.class);
        if (!found.names().contains(name)) {
            throw ConfigurationException.of(
                    "'sink' is '%s' but must be an installed sink; %s".formatted(name, found.others(name)));
        }
        return found.named(name);
    }

    /**
     * Opens the sink.
     *
     * @throws ConfigurationException if its settings are wrong, its location cannot be used, or it cannot satisfy the
     *     mode
     */
    public AuditSink open(Environment environment) {
        var opened = opening.apply(environment);
        if (mode().isRequired() && opened.durability() == AuditSink.Durability.NONE) {
            opened.close();
            throw ConfigurationException.of(
                    "'mode' of 'audit' is '%s', but the sink '%s' keeps no record; choose one that does, such as 'file'"
                            .formatted(mode().text(), sink));
        }
        return opened;
    }
}
