package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The jars of plug-ins that the script {@code mcp-bridge} adds to the class path. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(120)
class PluginsTest {
    private static final String PROVIDER = """
        package plugged;

        import io.mcpbridge.spi.*;

        public final class PluggedProvider implements RetryPolicyProvider {
            @Override
            public Id id() {
                return new Id("plugged", SPI_VERSION);
            }

            @Override
            public RetryPolicy create(Settings settings, Environment environment) {
                throw new UnsupportedOperationException("it is only listed");
            }
        }
        """;

    @TempDir
    private Path folder;

    /** A copy of the script, beside which everything looks built. */
    private Path script;

    /** Variables of the environment beside the usual ones. */
    private Map<String, String> variables = Map.of();

    @BeforeEach
    void copyTheScript() throws IOException {
        var root = Files.createDirectories(folder.resolve("root"));
        script = Files.copy(original(), root.resolve("mcp-bridge"));
        Files.createFile(root.resolve("pom.xml"));
        Files.createDirectories(root.resolve("cli/src/main"));
        Files.createFile(root.resolve("cli/pom.xml"));
        var command = Files.createDirectories(root.resolve("cli/target/command"));
        writeJar(command.resolve("mcp-bridge.jar"));
        Files.createFile(command.resolve("built"));
    }

    @ParameterizedTest
    @CsvSource({
        "root/plugins, version --plugins", "config/mcp-bridge/plugins, version --plugins",
        "other, --plugins OTHER version --plugins", "other, version --plugins=OTHER --plugins"
    })
    void jarsOfAllPluginFoldersAreFound(String place, String arguments) throws Exception {
        var jar = pluginIn(folder.resolve(place));

        var run = run(
                arguments.replace("OTHER", folder.resolve("other").toString()).split(" "));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsPattern("RetryPolicy +plugged +" + jar.toRealPath())
                .containsPattern("Transport +stdio +");
    }

    @Test
    void pluginsCanBeConfigured() throws Exception {
        pluginIn(folder.resolve("other"));
        var config = Files.writeString(folder.resolve("mcp.json"), """
            {"mcpServers": {}, "bridge": {"retry": {"policy": "plugged"}}}\
            """);

        var without = run("check", "--config", config.toString());
        var with = run(
                "check",
                "--config",
                config.toString(),
                "--plugins",
                folder.resolve("other").toString());

        assertThat(with.exitCode()).as(with.err()).isEqualTo(ExitCode.OK);
        assertThat(without.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(without.err()).contains("'plugged'", "found are", "another needs the jar of a plug-in");
    }

    @Test
    void jarWithoutProvidersIsReported() throws Exception {
        var jar = Files.createDirectories(folder.resolve("root/plugins")).resolve("empty.jar");
        new JarOutputStream(Files.newOutputStream(jar)).close();

        var run = run("version", "--plugins");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("empty.jar' has no usable provider", "META-INF/services");
    }

    @Test
    void unreadableJarIsReported() throws Exception {
        var jar = Files.writeString(
                Files.createDirectories(folder.resolve("root/plugins")).resolve("broken.jar"), "no zip");

        var run = run("version", "--plugins");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err())
                .contains("'" + jar.toRealPath() + "' is not a readable jar: ", "; replace it or remove it")
                .doesNotContain("usable provider");
    }

    @Test
    void missingClassOfAPluginIsReportedOnceWithItsJar() throws Exception {
        var jar = Files.createDirectories(folder.resolve("root/plugins")).resolve("gone.jar");
        try (var entries = new JarOutputStream(Files.newOutputStream(jar))) {
            entries.putNextEntry(new JarEntry("META-INF/services/io.mcpbridge.spi.TransportProvider"));
            entries.write("org.example.Gone".getBytes(StandardCharsets.UTF_8));
        }

        var run = run("version", "--plugins");

        assertThat(run.err())
                .containsOnlyOnce("gone.jar")
                .contains(
                        "in '" + jar.toRealPath()
                                + "', META-INF/services/io.mcpbridge.spi.TransportProvider lists 'org.example.Gone': not found; replace the jar or remove it");
    }

    @ParameterizedTest
    @CsvSource({
        "classes, jsa, version --debug",
        "classes, aot, version --debug",
        "brief, jsa, version",
        "brief, aot, version"
    })
    void archivesThatTheJvmCannotUseAreIgnored(String name, String kind, String subcommand) throws Exception {
        writeArchive(name + "." + kind);

        var run = run(subcommand.split(" "));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith("mcp-bridge ");
        assertThat(run.err()).doesNotContain("made anew");
    }

    @ParameterizedTest
    @CsvSource({"brief.jsa, longer, 0", "brief.jsa, oops, 1", "archives, another folder or Java, 0"})
    void damagedOrOutdatedArchivesAreMadeAnew(String changed, String content, int secondsLater) throws Exception {
        var record = writeArchive("brief.jsa");
        var file = record.resolveSibling(changed);
        var time = Files.getLastModifiedTime(record).toInstant().plusSeconds(secondsLater);
        Files.setLastModifiedTime(Files.writeString(file, content), FileTime.from(time));
        // The new ones are not made without it.
        variables = Map.of("TMPDIR", folder.resolve("none").toString());

        var run = run("version");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.err()).contains("are damaged, or of another Java or folder, and are made anew");
        assertThat(record).doesNotExist();
    }

    @Test
    void optionsOfTheUserReplaceThoseOfTheScript() throws Exception {
        variables = Map.of("JDK_JAVA_OPTIONS", "-XX:+UseParallelGC -Xmx32m");

        var run = run("version");

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).startsWith("mcp-bridge ");
    }

    @Test
    void relativeFolderOfTheConfigurationIsIgnored() throws Exception {
        variables = Map.of("XDG_CONFIG_HOME", "config", "HOME", folder.toString());
        var jar = pluginIn(folder.resolve(".config/mcp-bridge/plugins"));

        var run = run("version", "--plugins");

        assertThat(run.out()).containsPattern("RetryPolicy +plugged +" + jar.toRealPath());
    }

    @Test
    void missingFolderIsRejected() throws Exception {
        var run = run("version", "--plugins=" + folder.resolve("none"));

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--plugins names '" + folder.resolve("none") + "', which is no folder");
    }

    @Test
    void pluginFolderIsRejectedWithoutTheScript() {
        var run = RunCommand.of("--plugins", "somewhere");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("'--plugins' is 'somewhere'", "the class path");
    }

    /** Writes a jar that is empty and names the class path of the tests. */
    private static void writeJar(Path jar) throws IOException {
        var manifest = new Manifest();
        var attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private static Path original() {
        return Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
                .map(parent -> parent.resolve("mcp-bridge"))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow();
    }

    /** Writes an archive that is none, and returns the record that it was made in this folder by this JDK. */
    private Path writeArchive(String name) throws Exception {
        var command = script.toRealPath().resolveSibling("cli/target/command");
        Files.writeString(command.resolve(name), "oops");
        var describe = "LC_ALL=C wc -c $0/*.jar $0/%s $1/bin/java && cat $1/release".formatted(name);
        var home = Path.of(System.getProperty("java.home")).toRealPath();
        var record = command.resolve("archives");
        new ProcessBuilder("bash", "-c", describe, command.toString(), home.toString())
                .redirectOutput(record.toFile())
                .start()
                .waitFor();
        return record;
    }

    private Path pluginIn(Path place) throws IOException {
        var source = Files.createDirectories(folder.resolve("plugged")).resolve("PluggedProvider.java");
        Files.writeString(source, PROVIDER);
        var failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-cp", System.getProperty("java.class.path"), source.toString());
        assertThat(failed).isZero();
        var jar = Files.createDirectories(place).resolve("plugged.jar");
        try (var entries = new JarOutputStream(Files.newOutputStream(jar))) {
            entries.putNextEntry(new JarEntry("plugged/PluggedProvider.class"));
            entries.write(Files.readAllBytes(source.resolveSibling("PluggedProvider.class")));
            entries.putNextEntry(new JarEntry("META-INF/services/io.mcpbridge.spi.RetryPolicyProvider"));
            entries.write("plugged.PluggedProvider".getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    private RunCommand run(String... arguments) throws Exception {
        var words = new ArrayList<>(List.of("bash", script.toString()));
        words.addAll(List.of(arguments));
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var builder = new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment()
                .putAll(Map.of(
                        "JAVA_HOME", System.getProperty("java.home"),
                        "XDG_CONFIG_HOME", folder.resolve("config").toString()));
        builder.environment().putAll(variables);
        var exitCode = builder.start().waitFor();
        return new RunCommand(exitCode, Files.readString(out), Files.readString(err));
    }
}
