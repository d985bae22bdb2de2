package io.mcpbridge.testkit.faulty;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What goes wrong at which {@link Point}, and at the how manieth time. Immutable.
 *
 * <p>Each point is counted by itself: with {@code on-request:3=exit:7} the server ends at its third call. Several faults
 * of one moment happen in the order in which they were added.
 */
public final class FaultScript {

    /** Nothing goes wrong. */
    public static final FaultScript NONE = new FaultScript(List.of());

    private final List<FaultRule> rules;

    private FaultScript(List<FaultRule> rules) {
        this.rules = List.copyOf(rules);
    }

    /**
     * Reads rules such as {@code on-request=hang} (each time), {@code on-request:3=exit:7} (the third time) and {@code
     * start:2+=tool:more} (from the second time on).
     *
     * @throws IllegalArgumentException that quotes what is wrong and names what would be right
     */
    public static FaultScript parse(String... rules) {
        return new FaultScript(Stream.of(rules).map(FaultRule::parse).toList());
    }

    /** This script, and a fault each time. */
    public FaultScript with(Point point, Fault fault) {
        return with(new FaultRule(point, 1, Integer.MAX_VALUE, fault));
    }

    /** This script, and a fault at one time, counted from 1. */
    public FaultScript with(Point point, int time, Fault fault) {
        return with(new FaultRule(point, time, time, fault));
    }

    private FaultScript with(FaultRule rule) {
        var more = new ArrayList<>(rules);
        more.add(rule);
        return new FaultScript(more);
    }

    /** The rules as {@link #parse} reads them. */
    public List<String> text() {
        return rules.stream().map(FaultRule::text).toList();
    }

    List<Fault> at(Point point, int time) {
        return rules.stream()
                .filter(rule -> rule.appliesTo(point, time))
                .map(FaultRule::fault)
                .toList();
    }

    /**
     * Refuses what only HTTP can do.
     *
     * @throws IllegalArgumentException that names the rule
     */
    void requireStreamOnly() {
        rules.stream()
                .filter(rule -> rule.fault().kind().needsHttp())
                .findFirst()
                .ifPresent(rule -> {
                    throw new IllegalArgumentException(
                            "'%s' needs HTTP; a byte stream has no status".formatted(rule.text()));
                });
    }
}
