package io.mcpbridge.cli;

import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.cli.trail.Moment;
import io.mcpbridge.cli.trail.NamePattern;
import io.mcpbridge.cli.trail.TrailEntry;
import io.mcpbridge.cli.trail.TrailFilter;
import io.mcpbridge.spi.Nearest;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which calls of an audit trail are wanted. In each pattern, {@code *} stands for anything. */
final class FilterOption {
    private static final List<String> OUTCOMES = List.of(
            "ok", "tool-error", "input-required", "error", TrailEntry.IN_DOUBT, TrailEntry.DENIED, TrailEntry.OPEN);

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
            names = "--outcome",
            paramLabel = "WORD",
            split = ",",
            converter = OutcomeConverter.class,
            description = "Only what ended so: ok, tool-error, input-required, error, in-doubt, denied, open.")
    private List<String> outcomes = List.of();

    @Option(names = "--denied", description = "Only calls that were turned away; with --notes, notes too.")
    private boolean isOfDenials;

    @Option(names = "--notes", description = "Only notes, such as those of gaps and of peers that were refused.")
    private boolean isOfNotes;

    /** Reads {@link Moment}s. */
    static final class MomentConverter implements ITypeConverter<Instant> {

        @Override
        public Instant convert(String text) {
            try {
                return Moment.parse(text, Clock.systemUTC());
            } catch (IllegalArgumentException noMoment) {
                throw new TypeConversionException(noMoment.getMessage());
            }
        }
    }

    /** Lets only words pass that are an outcome. */
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

    TrailFilter filter() {
        return new TrailFilter(since, until, wanted());
    }

    /** Whether calls are asked for whose end has not come. */
    boolean isOfOpenCalls() {
        return outcomes.contains(TrailEntry.OPEN);
    }

    boolean hasEnd() {
        return !until.equals(Instant.MAX);
    }

    /** A note has neither server nor outcome: whoever asks for one of those, wants calls. */
    private Predicate<TrailEntry> wanted() {
        return ofTypes()
                .and(of(server, entry -> entry.begun().server()))
                .and(of(principal, entry -> entry.begun().principal()))
                .and(of(client, entry -> entry.begun().client()))
                .and(of(tool, entry -> entry.begun().tool())
                        .or(of(
                                tool,
                                entry -> entry.begun().server() + "."
                                        + entry.begun().tool())))
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
        var names = NamePattern.of(pattern);
        return entry -> names.test(name.apply(entry));
    }
}
