package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.catalog.lock.LockFile.Pins;
import io.mcpbridge.tool.ToolDefinition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How the lock file is written, and who waits for it. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class LockFileTest {
    private static final String EMPTY = "{\"lockVersion\":1,\"servers\":{}}";

    @TempDir
    Path folder;

    @Test
    void formatOfTheFileIsUnchanged() {
        var path = folder.resolve("mcp.lock");
        try (var catalog = PinnedToolCatalog.open(new LockSettings(path, LockMode.WARN))) {
            catalog.update("empty", List.of());
            catalog.update(
                    "mail",
                    List.of(ToolDefinition.parse("{\"name\":\"a\\u202e\",\"own\":[1.0,1e-7,1e400,{}],\"empty\":[]}")));

            catalog.approve();
        }

        assertThat(path).hasContent("""
                {
                  "lockVersion" : 1,
                  "servers" : {
                    "empty" : { },
                    "mail" : {
                      "a\\u202e" : {
                        "sha256" : "11df41cfcf231f8a1e749235aad7ff73da9b4ab6847fd39994a3e7db5aff5179",
                        "definition" : {
                          "empty" : [ ],
                          "name" : "a\\u202e",
                          "own" : [
                            1,
                            1E-7,
                            1E+400,
                            { }
                          ]
                        }
                      }
                    }
                  }
                }
                """);
        assertThat(new LockFile(path).read()).isPresent();
    }

    @Test
    void permissionsAreKept() throws Exception {
        var path = Files.writeString(folder.resolve("mcp.lock"), EMPTY);
        var rights = PosixFilePermissions.fromString("rw-rw-r--");
        Files.setPosixFilePermissions(path, rights);

        new LockFile(path).write(Pins.EMPTY);

        assertThat(Files.getPosixFilePermissions(path)).isEqualTo(rights);
    }

    @Test
    void linkInPlaceOfTheTemporaryFileIsNotFollowed() throws Exception {
        var other = Files.writeString(folder.resolve("other"), "precious");
        Files.createSymbolicLink(folder.resolve("mcp.lock.new"), other);

        new LockFile(folder.resolve("mcp.lock")).write(Pins.EMPTY);

        assertThat(other).hasContent("precious");
        assertThat(folder.resolve("mcp.lock")).isRegularFile();
        assertThat(Files.isSymbolicLink(folder.resolve("mcp.lock"))).isFalse();
    }

    @Test
    void listingsDoNotWaitForTheFile() throws Exception {
        var pipe = folder.resolve("mcp.lock");
        try (var catalog = PinnedToolCatalog.open(new LockSettings(pipe, LockMode.WARN))) {
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            var reload = new Thread(catalog::reload, "test-reload");
            reload.start();

            // Opens once the other thread reads.
            try (var writer = Files.newBufferedWriter(pipe)) {
                catalog.update("mail", List.of(ToolDefinition.parse("{\"name\":\"send\"}")));
                assertThat(catalog.findings()).hasSize(1);
                writer.write(EMPTY);
            }
            reload.join();
        }
    }
}
