package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much the command logs. */
class LoggingTest {

    @AfterEach
    void quiet() {
        Logging.show(Level.WARNING);
    }

    /** The logging of the JDK forgets a logger that nobody holds, and its level with it. */
    @Test
    void levelOutlivesACollection() {
        Logging.show(Level.INFO);

        for (int i = 0; i < 3; i++) {
            System.gc();
        }

        assertThat(System.getLogger("io.mcpbridge").isLoggable(System.Logger.Level.INFO))
                .isTrue();
        assertThat(Logger.getLogger("io.mcpbridge").getLevel()).isEqualTo(Level.INFO);
    }

    @Test
    void othersAreHeardOnlyWhenTheyWarn() {
        Logging.show(Level.FINE);

        assertThat(System.getLogger("io.netty").isLoggable(System.Logger.Level.INFO))
                .isFalse();
        assertThat(System.getLogger("io.mcpbridge").isLoggable(System.Logger.Level.DEBUG))
                .isTrue();
    }
}
