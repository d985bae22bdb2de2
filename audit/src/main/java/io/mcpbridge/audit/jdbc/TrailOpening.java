package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.internal.OddTrail;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Environment;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Opens a trail, and tells in the words of the configuration why that cannot be done. */
final class TrailOpening {
    /** A writer that was killed has its trail until the database notices. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final long PAUSE_MILLIS = 100;

    private TrailOpening() {}

    static Trail open(Trail trail, AuditRecords records, Environment environment) {
        var until = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                var odd = trail.open(records, environment.timekeeper().now());
                odd.ifPresent(note ->
                        OddTrail.warn(environment.logger(), trail.settings().trail(), note));
                return trail;
            } catch (TrailTakenException taken) {
                trail.close();
                if (System.nanoTime() - until >= 0) {
                    throw ConfigurationException.of(String.valueOf(taken.getMessage()));
                }
                pause(taken);
            } catch (SQLException failed) {
                trail.close();
                throw SqlTrouble.atOpening(failed, trail.settings());
            } catch (RuntimeException wrong) {
                trail.close();
                throw wrong;
            }
        }
    }

    private static void pause(TrailTakenException taken) {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw ConfigurationException.of(String.valueOf(taken.getMessage()));
        }
    }
}
