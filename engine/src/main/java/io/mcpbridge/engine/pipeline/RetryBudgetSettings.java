package io.mcpbridge.engine.pipeline;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;

/**
 * The settings of a {@link RetryBudget}. The defaults allow about ten retries at once, then one for every ten
 * successful calls, and at least one every ten seconds.
 *
 * @param capacity the largest number of tokens; at least the larger cost
 * @param cost tokens of a retry; at least 1
 * @param timeoutCost tokens of a retry after a time-out, which has kept the server busy for longer; at least 1
 * @param perSuccess tokens that each success adds; zero or more
 * @param perSecond tokens that each second adds; zero or more
 */
public record RetryBudgetSettings(int capacity, int cost, int timeoutCost, double perSuccess, double perSecond) {

    public static final RetryBudgetSettings DEFAULTS = new RetryBudgetSettings(100, 10, 20, 1, 1);

    private static final int MOST = 1_000_000;
    private static final String COST = "between 1 and 'capacity'";
    private static final String CAPACITY = "between 1 and 1000000";
    private static final String INCOME = "between 0 and 1000000";

    public RetryBudgetSettings {
        new MistakeCollector()
                .unless(capacity >= 1 && capacity <= MOST, "capacity", capacity, CAPACITY)
                .unless(isCost(cost, capacity), "cost", cost, COST)
                .unless(isCost(timeoutCost, capacity), "timeout-cost", timeoutCost, COST)
                .unless(perSuccess >= 0 && perSuccess <= MOST, "per-success", perSuccess, INCOME)
                .unless(perSecond >= 0 && perSecond <= MOST, "per-second", perSecond, INCOME)
                .throwIfAny();
    }

    /**
     * Reads a {@code retry-budget} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static RetryBudgetSettings from(Settings settings) {
        var capacity = settings.integer("capacity", DEFAULTS.capacity);
        var cost = settings.integer("cost", DEFAULTS.cost);
        var timeoutCost = settings.integer("timeout-cost", DEFAULTS.timeoutCost);
        var perSuccess = settings.number("per-success", DEFAULTS.perSuccess);
        var perSecond = settings.number("per-second", DEFAULTS.perSecond);
        return settings.finish(() -> new RetryBudgetSettings(capacity, cost, timeoutCost, perSuccess, perSecond));
    }

    /** Whether the cost is valid. An invalid capacity, which has its own mistake, is no bound. */
    private static boolean isCost(int cost, int capacity) {
        return cost >= 1 && (cost <= capacity || capacity < 1);
    }
}
