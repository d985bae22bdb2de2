package io.mcpbridge.cli;

import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.cli.trail.TextTrailForm;
import io.mcpbridge.cli.trail.TrailEntry;
import io.mcpbridge.cli.trail.TrailFilter;
import io.mcpbridge.cli.trail.TrailForm;
import io.mcpbridge.cli.trail.TrailViewer;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.GlobPattern;
import io.mcpbridge.spi.Nearest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * The options of all subcommands that show an audit trail: the trail, filters and the output format. In each pattern,
 * {@code *} matches any text.
 */
final class TrailViewOptions {
    private static final Map<String, String> COLOURS = Map.of(
            "ok", "green",
            "input-required", "yellow",
            "open", "yellow",
            "tool-error", "red",
            "error", "red",
            "in-doubt", "red",
            "denied", "red");

    private static final List<String> OUTCOMES = List.of(
            "ok", "tool-error", "input-required", "error", TrailEntry.IN_DOUBT, TrailEntry.DENIED, TrailEntry.OPEN);

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private TrailOptions trail;

    @Option(names = "--json", description = "Print the records as they are, one a line.")
    private boolean isRaw;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Only what happened since then: 2026-01-31T08:00:00Z, or how long ago, 10m, 2h, 3d.")
    private Instant since = Instant.MIN;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = MomentConverter.class,
            description = "Only what began until then.")
    private Instant until = Instant.MAX;

    @Option(names = "--server", paramLabel = "NAME", description = "Only calls of this server; * stands for anything.")
    private @Nullable String server;

    @Option(
            names = "--tool",
            paramLabel = "NAME",
            description = "Only calls of this tool, as 'delete_*' or 'github.delete_*'.")
    private @Nullable String tool;

    @Option(names = "--principal", paramLabel = "NAME", description = "Only calls of this user.")
    private @Nullable String principal;

    @Option(names = "--client", paramLabel = "ID", description = "Only calls of the client with this id.")
    private @Nullable String client;

    @Option(
            names = "--trace",
            paramLabel = "ID",
            description = "Only calls of this trace, such as a run of a workflow.")
    private @Nullable String trace;

    @Option(
            names = "--outcome",
            paramLabel = "WORD",
            split = ",",
            converter = OutcomeConverter.class,
            description = "Only what ended so: ok, tool-error, input-required, error, in-doubt, denied, open.")
    private List<String> outcomes = List.of();

    @Option(names = "--denied", description = "Only denied calls; with --notes, notes too.")
    private boolean isOfDenials;

    @Option(names = "--notes", description = "Only notes, such as those of gaps and of peers that were refused.")
    private boolean isOfNotes;

    TrailViewer open(Output output) {
        requirePairs();
        return TrailViewer.at(folder(), isRaw ? TrailForm.records() : lines(), output);
    }

    /** Rejects {@code --outcome open} with {@code --json}: single records do not show whether a call is open. */
    private void requirePairs() {
        if (isRaw && outcomes.contains(TrailEntry.OPEN)) {
            throw ConfigurationException.of(
                    "'--outcome open' and '--json' cannot be given together: '--json' prints single records, and no"
                            + " record says that its call is open; leave one of them out");
        }
    }

    Path folder() {
        return trail.folder();
    }

    /** Whether {@code --until} ends the selection. */
    boolean hasEnd() {
        return !until.equals(Instant.MAX);
    }

    boolean isForPrograms() {
        return isRaw;
    }

    private TextTrailForm lines() {
        if (!Ansi.AUTO.enabled()) {
            return TextTrailForm.unbounded();
        }
        var usage = spec.usageMessage().autoWidth(true);
        return TextTrailForm.fitting(usage.width(), TrailViewOptions::painted);
    }

    /** Colours only words of the bridge, since other text may contain markup. */
    private static String painted(String outcome) {
        var colour = COLOURS.get(outcome);
        return colour == null ? outcome : Output.painted("@|%s %s|@".formatted(colour, outcome));
    }

    TrailFilter filter() {
        return new TrailFilter(since, until, filters());
    }

    /** The filters of all options. A note has neither server nor outcome, so a filter on one of them excludes notes. */
    private Predicate<TrailEntry> filters() {
        return ofTypes()
                .and(of(server, entry -> entry.begun().server()))
                .and(of(principal, entry -> entry.begun().principal()))
                .and(of(client, entry -> entry.begun().client()))
                .and(of(trace, entry -> entry.begun().trace()))
                .and(of(tool, entry -> entry.begun().tool())
                        .or(of(tool, entry -> entry.begun().qualifiedTool())))
                .and(entry ->
                        outcomes.isEmpty() || outcomes.contains(entry.ending().outcome()));
    }

    private Predicate<TrailEntry> ofTypes() {
        if (!isOfDenials && !isOfNotes) {
            return entry -> true;
        }
        return entry ->
                (isOfDenials && entry.type() == RecordType.DENIED) || (isOfNotes && entry.type() == RecordType.NOTE);
    }

    private static Predicate<TrailEntry> of(@Nullable String pattern, Function<TrailEntry, String> name) {
        if (pattern == null) {
            return entry -> true;
        }
        var names = GlobPattern.ofStars(pattern);
        return entry -> names.matches(name.apply(entry));
    }

    /** Parses a time, such as {@code 2026-01-31T08:00:00Z}, or a time span before now, such as {@code 10m}. */
    static final class MomentConverter implements ITypeConverter<Instant> {
        private static final Pattern AGO = Pattern.compile("([0-9]{1,9})(s|m|h|d)");
        private static final Map<String, Duration> UNITS = Map.of(
                "s", Duration.ofSeconds(1),
                "m", Duration.ofMinutes(1),
                "h", Duration.ofHours(1),
                "d", Duration.ofDays(1));

        @Override
        public Instant convert(String text) {
            return parse(text, Clock.systemUTC());
        }

        static Instant parse(String text, Clock clock) {
            var ago = AGO.matcher(text);
            if (ago.matches()) {
                var unit = UNITS.getOrDefault(ago.group(2), Duration.ZERO);
                return clock.instant().minus(unit.multipliedBy(Long.parseLong(ago.group(1))));
            }
            try {
                return OffsetDateTime.parse(text).toInstant();
            } catch (DateTimeException noMoment) {
                throw new TypeConversionException(
                        "'%s' must be a moment such as 2026-01-31T08:00:00Z, or how long ago it was, such as 10m, 2h or 3d"
                                .formatted(text));
            }
        }
    }

    /** Rejects words that are not an outcome. */
    static final class OutcomeConverter implements ITypeConverter<String> {

        @Override
        public String convert(String text) {
            if (!OUTCOMES.contains(text)) {
                throw new TypeConversionException("'%s' is no outcome: %sit must be one of %s"
                        .formatted(text, Nearest.question(text, OUTCOMES), String.join(", ", OUTCOMES)));
            }
            return text;
        }
    }
}
