package io.mcpbridge.catalog.lock;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.spi.ToolFinding;
import io.mcpbridge.spi.ToolFinding.Kind;
import io.mcpbridge.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;

/**
 * Compares what one server lists with what was approved of it. Used once.
 *
 * <p>{@code admitted} are the tools that clients may see.
 */
final class Review {
    /** A description that is longer hides its end from whoever reads it. */
    private static final int LONG_DESCRIPTION = 5_000;

    private final String server;
    private final Map<String, Pin> pins;
    private final boolean isStrict;
    private final List<ToolDefinition> admitted = new ArrayList<>();
    private final List<ToolFinding> findings = new ArrayList<>();

    private Review(String server, Map<String, Pin> pins, LockMode mode) {
        this.server = server;
        this.pins = pins;
        this.isStrict = mode == LockMode.ENFORCE;
    }

    static Review of(String server, Map<String, Pin> pins, List<ToolDefinition> listed, LockMode mode) {
        var review = new Review(server, pins, mode);
        listed.forEach(review::take);
        review.missing(listed);
        return review;
    }

    List<ToolDefinition> admitted() {
        return admitted;
    }

    List<ToolFinding> findings() {
        return findings;
    }

    private void take(ToolDefinition tool) {
        if (isApproved(tool) || !isStrict) {
            admitted.add(tool);
        }
    }

    private boolean isApproved(ToolDefinition tool) {
        Pin found;
        try {
            found = Pin.of(tool);
        } catch (JacksonException unreadable) {
            var why = "its definition cannot be compared: " + Hidden.escaped(unreadable.getOriginalMessage());
            add(tool, Kind.SUSPICIOUS, why, List.of(), isStrict);
            return false;
        }
        var definition = found.definition();
        var remarks = remarks(tool, definition);
        var approved = pins.get(tool.name());
        if (approved == null) {
            var details = new ArrayList<>(Differences.between(Map.of(), definition));
            details.addAll(remarks);
            add(tool, Kind.NEW, "nobody has approved it", details, isStrict);
            return false;
        }
        if (!approved.hash().equals(found.hash())) {
            changed(tool, approved.definition(), definition, remarks);
            return false;
        }
        if (!remarks.isEmpty()) {
            add(tool, Kind.SUSPICIOUS, "its definition was approved, but look at it again", remarks, false);
        }
        return true;
    }

    private void changed(ToolDefinition tool, Map<?, ?> before, Map<?, ?> now, List<String> remarks) {
        var details = new ArrayList<>(Differences.between(before, now));
        details.addAll(remarks);
        var names = Differences.names(before, now).stream().collect(joining("', '", "'", "'"));
        add(
                tool,
                Kind.CHANGED,
                "its definition is not the approved one, since it differs in " + names,
                details,
                isStrict);
    }

    /** What people may overlook in a definition. */
    private static List<String> remarks(ToolDefinition tool, Map<?, ?> definition) {
        var remarks = new ArrayList<String>();
        Hidden.places(definition).forEach(place -> remarks.add("! hidden characters in " + place));
        var length = tool.description().map(String::length).orElse(0);
        if (length > LONG_DESCRIPTION) {
            remarks.add("! /description has %d characters, which is more than people read".formatted(length));
        }
        return remarks;
    }

    private void missing(List<ToolDefinition> listed) {
        Set<String> names = new HashSet<>();
        listed.forEach(tool -> names.add(tool.name()));
        pins.keySet().stream()
                .filter(name -> !names.contains(name))
                .map(name ->
                        new ToolFinding(server, name, Kind.GONE, "its server lists it no longer", List.of(), false))
                .forEach(findings::add);
    }

    private void add(ToolDefinition tool, Kind kind, String reason, List<String> details, boolean isWithheld) {
        findings.add(new ToolFinding(server, tool.name(), kind, reason, details, isWithheld));
    }
}
