package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class HeapTrimTest {

    @Test
    void heapShrinksAfterABurst() throws Exception {
        var java = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:-ShrinkHeapInSteps",
                        "-Xms18m",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Burst.class.getName())
                .inheritIO()
                .start();
        try {
            assertThat(java.waitFor()).isZero();
        } finally {
            java.destroyForcibly();
        }
    }

    /** Fills 200 MB of the heap, drops them, and ends when the heap has shrunk. */
    static final class Burst {
        public static void main(String[] arguments) throws InterruptedException {
            var burst = IntStream.range(0, 200).mapToObj(i -> new byte[1 << 20]).toList();
            if (megabytes() < burst.size()) {
                throw new IllegalStateException("the heap has only " + megabytes() + " MB");
            }
            burst = null;
            HeapTrim.start(Duration.ofMillis(50));
            while (megabytes() > 64) {
                Thread.sleep(10);
            }
        }

        private static long megabytes() {
            return Runtime.getRuntime().totalMemory() >> 20;
        }
    }
}
