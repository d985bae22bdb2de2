package io.mcpbridge.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@Timeout(60)
class ArgumentEncodingCheckTest {

    @Test
    void undecodableArgumentsAreReported() {
        var arguments = new String[] {"call", "echo", "gr\uFFFD\uFFFDn"};

        assertThat(Main.undecodable(arguments, "ANSI_X3.4-1968"))
                .hasValueSatisfying(words -> assertThat(words)
                        .startsWith("argument 3 holds characters that cannot be read in ANSI_X3.4-1968")
                        .endsWith("LC_ALL=C.UTF-8"));
        assertThat(Main.undecodable(arguments, "UTF-8")).isEmpty();
        assertThat(Main.undecodable(new String[] {"call", "echo", "green"}, "ANSI_X3.4-1968"))
                .isEmpty();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void toolIsNotCalledWithCorruptedCharacters() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var script = "exec \"$0\" -cp \"$1\" io.mcpbridge.cli.Main call echo \"$(printf 'gr\\303\\274n')\"";
        var builder = new ProcessBuilder("sh", "-c", script, java, System.getProperty("java.class.path"))
                .redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");

        var process = builder.start();

        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).contains("argument 3 holds characters");
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(ExitCode.USAGE);
    }
}
