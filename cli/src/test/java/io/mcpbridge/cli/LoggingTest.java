package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log levels of the command. */
class LoggingTest {

    @AfterEach
    void quiet() {
        Logging.show(Level.WARNING);
    }

    /** The JDK's log manager drops loggers without strong reference, and so their levels. */
    @Test
    void logLevelSurvivesAGarbageCollection() {
        Logging.show(Level.INFO);

        for (int i = 0; i < 3; i++) {
            System.gc();
        }

        assertThat(System.getLogger("io.mcpbridge").isLoggable(System.Logger.Level.INFO))
                .isTrue();
        assertThat(Logger.getLogger("io.mcpbridge").getLevel()).isEqualTo(Level.INFO);
    }

    @Test
    void otherLoggersShowWarningsOnly() {
        Logging.show(Level.FINE);

        assertThat(System.getLogger("io.netty").isLoggable(System.Logger.Level.INFO))
                .isFalse();
        assertThat(System.getLogger("io.mcpbridge").isLoggable(System.Logger.Level.DEBUG))
                .isTrue();
    }
}
