package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.ProcessLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BridgeConfigurationTest {

    @TempDir
    Path folder;

    @Test
    void allKeysOfAFileAreRead() throws IOException {
        Files.writeString(folder.resolve("token"), "s3cret\n");
        var file = Files.writeString(folder.resolve("mcp.json"), """
            {
              // what the desktop client has, too
              "mcpServers": {
                "github": {"command": "npx", "args": ["-y"], "env": {"GITHUB_TOKEN": "${env:GITHUB_TOKEN}"}},
                "search": {"type": "http", "url": "https://search.example/mcp",
                           "headers": {"Authorization": "Bearer ${file:token}"}},
                "local": {"type": "unix", "path": "/run/tool.sock", "timeout": "60s", "trusted": true},
              },
              "bridge": {"listen": {"unix": {}}, "names": "prefix"}
            }\
            """);

        var configuration = BridgeConfiguration.read(file, Map.of("GITHUB_TOKEN", "t0ken"));

        assertThat(configuration.servers())
                .extracting(ServerSettings::name)
                .containsExactly("github", "search", "local");
        assertThat(configuration.servers()).extracting(ServerSettings::type).containsExactly("stdio", "http", "unix");
        assertThat(server(configuration, "github").settings().textsByName("env"))
                .containsEntry("GITHUB_TOKEN", "t0ken");
        assertThat(server(configuration, "search").settings().textsByName("headers"))
                .containsEntry("Authorization", "Bearer s3cret");
        assertThat(server(configuration, "local").timeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(configuration.bridge().listeners()).containsOnlyKeys("unix");
    }

    @Test
    void environmentVariablesCanDefineServersWithoutAFile() {
        var variables = Map.of("XDG_CONFIG_HOME", folder.toString(), "MCP_GITHUB_ENDPOINT", "http://localhost:3001");
        var missing = BridgeConfiguration.defaultFile(variables);

        assertThat(BridgeConfiguration.findDefault(variables)).contains(missing);
        assertThat(BridgeConfiguration.read(missing, variables).server("github"))
                .isPresent();
        assertThatThrownBy(() -> BridgeConfiguration.read(folder.resolve("other.json"), variables))
                .isInstanceOf(ConfigurationException.class);
        assertThat(BridgeConfiguration.findDefault(Map.of("XDG_CONFIG_HOME", folder.toString())))
                .isEmpty();
    }

    @Test
    void endpointSelectsUrlOrPathByItsScheme() {
        var configuration = parse("""
            {"mcpServers": {"web": {"endpoint": "http://localhost:3001"}, "local": {"endpoint": "unix:/run/tool.sock"}}}\
            """);

        assertThat(server(configuration, "web").type()).isEqualTo("http");
        assertThat(server(configuration, "local").type()).isEqualTo("unix");
    }

    @Test
    void mistakeInTheBridgeSandboxIsReportedOnceAndNotPerServer() {
        assertThatThrownBy(() -> parse("""
            {"mcpServers": {"one": {"command": "x"}, "two": {"command": "x", "sandbox": {"level": "L1"}}},
             "bridge": {"sandbox": {"level": "L9", "max-memry": 3}}}\
            """))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        wrong -> assertThat(wrong.problems())
                                .hasSize(2)
                                .allMatch(problem -> problem.startsWith("line 2: 'bridge.sandbox.")));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', textBlock = """
        ~"max-memory": "1GiB", "maxProcesses": 9~, ~"maxMemoryMb": 64~
        ~"maxMemoryMb": 1024, "maxProcesses": 9~, ~"max-memory": "64MiB"~
        """)
    void limitOfAServerOverridesTheBridgeLimitUnderEitherKey(String bridge, String server) {
        var configuration = parse("""
            {"mcpServers": {"one": {"command": "x", "sandbox": {%s}}}, "bridge": {"sandbox": {%s}}}\
            """.formatted(server, bridge));

        var limits = ProcessLimits.from(server(configuration, "one").settings().section("sandbox"));

        assertThat(limits)
                .isEqualTo(ProcessLimits.NONE.withMemoryBytes(64 << 20).withProcesses(9));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', textBlock = """
        "url": "http://127.0.0.1:1/mcp"
        "path": "/run/tool.sock"
        """)
    void sandboxIsRejectedForServersThatAreNotChildProcesses(String where) {
        assertThatThrownBy(() ->
                        parse("{\"mcpServers\": {\"one\": {%s, \"sandbox\": {\"level\": \"L1\"}}}}".formatted(where)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(
                        "'mcpServers.one.sandbox' is an object but must be left out where the server is no process of"
                                + " ours");
    }

    @Test
    void emptyObjectIsAValidConfiguration() {
        var configuration = parse("{}");

        assertThat(configuration.servers()).isEmpty();
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void editorConfigurationFileIsRead() {
        var configuration = parse("""
            {"inputs": [{"type": "promptString", "id": "token", "description": "see ${input:token}"}],
             "servers": {"My  Server": {"type": "stdio", "command": "x", "envFile": ".env", "gallery": true},
                         "far": {"type": "http", "url": "http://localhost:1/mcp", "headers": {"A": "${TOKEN:-none}"}}}}\
            """);

        assertThat(configuration.servers()).extracting(ServerSettings::name).containsExactly("My-Server", "far");
        assertThat(server(configuration, "far").settings().textsByName("headers"))
                .containsEntry("A", "none");
        assertThat(configuration.warnings())
                .anySatisfy(warning -> assertThat(warning).contains("'My  Server' is named 'My-Server' here"))
                .anySatisfy(warning -> assertThat(warning).contains("'envFile' of server 'My-Server' is not read"))
                .contains("line 2: 'servers.My  Server.gallery' is not a key here")
                .noneMatch(warning -> warning.contains("inputs"));
    }

    @Test
    void patternWithADotAfterTheServerIsReported() {
        var configuration = parse("""
            {"mcpServers": {"disk": {"command": "x"}},
             "bridge": {"clients": {"kim": {"tools": {"deny": ["disk.delete", "other.tool", "disk__read"]}}}}}\
            """);

        assertThat(configuration.remarks())
                .containsExactly("bridge.clients.kim.tools: 'disk.delete' selects no tool of server 'disk'; write"
                        + " 'disk__delete'");
    }

    @Test
    void editorInputsAndClashingServerNamesAreRejected() {
        assertThatThrownBy(() -> parse("""
            {"servers": {"a": {"command": "x", "args": ["${input:token}"]},
                         "a b": {"command": "x"}, "a-b": {"command": "x"}}}\
            """))
                .isInstanceOfSatisfying(
                        ConfigurationException.class,
                        wrong -> assertThat(wrong.problems())
                                .hasSize(2)
                                .anySatisfy(problem ->
                                        assertThat(problem).contains("line 1", "'${input:token}' cannot be filled in"))
                                .anySatisfy(problem ->
                                        assertThat(problem).contains("line 2", "there are two servers 'a-b'")));
    }

    @Test
    void keysOfDesktopClientsAreSupported() {
        var configuration = parse("""
            {"mcpServers": {"a": {"httpUrl": "http://localhost:1/mcp"},
                            "b": {"serverUrl": "http://localhost:2/mcp", "disabledTools": ["drop"]}}}\
            """);

        assertThat(configuration.servers()).extracting(ServerSettings::type).containsOnly("http");
        assertThat(server(configuration, "a").settings().text("url")).contains("http://localhost:1/mcp");
        assertThat(server(configuration, "b").toolFilter().admits("drop")).isFalse();
        assertThat(server(configuration, "b").toolFilter().admits("show")).isTrue();
    }

    @Test
    void keysOfOtherProgramsCauseWarningsAfterTheTransportReadItsKeys() {
        var configuration = parse("""
            {"theme": "dark",
             "mcpServers": {"a": {"command": "x", "autoApprove": []},
                            "off": {"command": "x", "disabled": true, "colour": 1}}}\
            """);
        server(configuration, "a").settings().text("command");

        assertThat(configuration.warnings())
                .hasSize(2)
                .satisfies(
                        first -> assertThat(first).startsWith("line 1: 'theme' is not a key here"),
                        org.assertj.core.api.Assertions.atIndex(0))
                .satisfies(
                        second -> assertThat(second).startsWith("line 2: 'mcpServers.a.autoApprove' is not a key here"),
                        org.assertj.core.api.Assertions.atIndex(1));
    }

    @ParameterizedTest(name = "{0} in a folder with {1}: {3}")
    @CsvSource({
        "rw-r--r--, rwxr-xr-x, Bearer abcdefgh,         true",
        "rw-r-----, rwxr-x---, Bearer abcdefgh,         true",
        "rw-------, rwxr-xr-x, Bearer abcdefgh,         false",
        "rw-r--r--, rwx------, Bearer abcdefgh,         false",
        "rw-r--r--, rwxr-xr-x, 'Bearer ${env:TOKEN}',   false"
    })
    void secretsReadableByOtherUsersCauseARemark(
            String rights, String rightsOfFolder, String header, boolean isRemarked) throws IOException {
        var file = Files.writeString(folder.resolve("mcp.json"), """
            {"mcpServers": {"search": {"url": "https://search.example/mcp", "headers": {"Authorization": "%s"}}}}\
            """.formatted(header));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(rightsOfFolder));

        var remarks =
                BridgeConfiguration.read(file, Map.of("TOKEN", "0123456789")).remarks();

        if (isRemarked) {
            assertThat(remarks)
                    .containsExactly(
                            "other users can read '%s' (%s), which has secrets in it; use 'chmod 600 %s', or ${env:NAME} and ${file:path} in place of the secrets"
                                    .formatted(file, rights, file));
        } else {
            assertThat(remarks).isEmpty();
        }
    }

    @Test
    void defaultFileIsInTheConfigurationFolder() {
        assertThat(BridgeConfiguration.defaultFile(Map.of("XDG_CONFIG_HOME", "/etc/xdg", "HOME", "/home/me")))
                .isEqualTo(Path.of("/etc/xdg/mcp-bridge/mcp.json"));
        assertThat(BridgeConfiguration.defaultFile(Map.of("XDG_CONFIG_HOME", "relative", "HOME", "/home/me")))
                .isEqualTo(Path.of("/home/me/.config/mcp-bridge/mcp.json"));
    }

    @Nested
    class Types {

        @ParameterizedTest(name = "{0} is {1}")
        @CsvSource(
                delimiter = '|',
                value = {
                    "\"command\": \"x\"                             | stdio",
                    "\"url\": \"http://x\"                          | http",
                    "\"path\": \"/x\"                               | unix",
                    "\"socketPath\": \"/x\"                         | unix",
                    "\"type\": \"streamable-http\", \"url\": \"x\"  | http",
                    "\"type\": \"streamableHttp\", \"url\": \"x\"   | http",
                    "\"type\": \"sse\", \"url\": \"x\"              | sse",
                    "\"type\": \"pigeon\", \"url\": \"x\"           | pigeon"
                },
                quoteCharacter = '\'')
        void typeIsReadOrDerivedFromTheKeys(String keys, String type) {
            assertThat(server(parse(servers("\"a\": {%s}".formatted(keys))), "a")
                            .type())
                    .isEqualTo(type);
        }

        @Test
        void sectionWithoutADerivableTypeIsRejected() {
            assertThat(problems(servers(
                            "\"a\": {}, \"b\": {\"command\": \"x\", \"url\": \"y\"}, \"c\": {\"urll\": \"y\"}")))
                    .containsExactly(
                            "line 1: 'mcpServers.a' must be given 'command' (stdio), 'url' (http) or 'path' (unix), or"
                                    + " its 'type'",
                            "line 1: 'mcpServers.b' must be given its 'type', since it has command and url",
                            "line 1: 'mcpServers.c' must be given 'command' (stdio), 'url' (http) or 'path' (unix), or"
                                    + " its 'type'; it has 'urll': did you mean 'url'?");
        }
    }

    @Nested
    class Mistaken {

        @Test
        void mistakesAreReportedTogetherInLineOrder() {
            var json = """
                {
                  "bridge": {"nmaes": "plain"},
                  "mcpServers": {
                    "a__b": {"command": "x"},
                    "c": {"command": "x", "timeout": "soon"},
                    "d": {"url": "${env:NONE}"}
                  }
                }\
                """;

            assertThat(Refused.problems(
                            () -> BridgeConfiguration.parse(json, folder, Map.of("MCP_BRIDGE_TIMEOUT", "x"))))
                    .containsExactly(
                            "the variable 'MCP_BRIDGE_TIMEOUT' is 'x' but must be a positive whole number of"
                                    + " milliseconds, such as 30000",
                            "line 2: 'bridge.nmaes' is not a key here; did you mean 'names'?",
                            "line 4: 'mcpServers.a__b' must be named with 1 to 64 letters, digits, '-' and '_',"
                                    + " without '__' and with no '_' at the end",
                            "line 5: 'mcpServers.c.timeout' is 'soon' but must be a time span such as 200ms, 5s, 2m or"
                                    + " 1h",
                            "line 6: in 'mcpServers.d.url': '${env:NONE}' cannot be filled in: set the environment variable 'NONE'");
        }

        @Test
        void valueFromAPlaceholderIsNeverQuoted() {
            var json = servers("\"a\": {\"command\": \"x\", \"timeout\": \"${env:TOKEN}\"}");

            assertThat(Refused.problems(() -> BridgeConfiguration.parse(json, folder, Map.of("TOKEN", "s3cret"))))
                    .singleElement()
                    .asString()
                    .contains("is a text that was filled in but must be a time span")
                    .doesNotContain("s3cret");
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource(
                delimiter = '|',
                value = {
                    "{\"bridge\": }    | the configuration is not JSON: line 1, column 12: unexpected '}': a value is"
                            + " missing",
                    "{\"a\":1,\"a\":2} | the configuration is not JSON: line 1, column 11: the key 'a' stands there"
                            + " twice",
                    "{\"a\":1          | the configuration is not JSON: line 1, column 7: the document ends, but what"
                            + " begins at line 1, column 1 is not closed",
                    "{\"a\":[1}        | the configuration is not JSON: line 1, column 8: found '}' but ']' should"
                            + " close what begins at line 1, column 6",
                    "{\"a\":x}         | the configuration is not JSON: line 1, column 6: 'x' is no value; put texts"
                            + " in double quotes",
                    "{\"a\":NaN}       | the configuration is not JSON: line 1, column 9: 'NaN' is no value",
                    "[]                | line 1: the document is a list but must be an object",
                    "{\"bridge\": 1}   | line 1: 'bridge' is 1 but must be an object",
                    "{\"mcpServers\": \"x\"} | line 1: 'mcpServers' is 'x' but must be an object"
                },
                quoteCharacter = '\'')
        void documentThatIsNotAConfigurationIsRejected(String json, String words) {
            assertThat(problems(json)).singleElement().asString().startsWith(words);
        }

        @Test
        void misspeltSectionIsReported() {
            assertThat(Refused.problems(() -> parse("{\n\"mcpServrs\": {},\n\"brigde\": {}}")))
                    .containsExactly("line 2: 'mcpServrs' must be 'mcpServers'", "line 3: 'brigde' must be 'bridge'");
        }

        @Test
        void mistakesNameTheirFile() throws IOException {
            var file = Files.writeString(folder.resolve("mcp.json"), "{\n\"bridge\": 1}");

            assertThat(Refused.problems(() -> BridgeConfiguration.read(file, Map.of())))
                    .containsExactly(file + ": line 2: 'bridge' is 1 but must be an object");
        }

        @Test
        void missingFileIsReportedWithItsPath() {
            var file = folder.resolve("none.json");

            assertThat(Refused.problems(() -> BridgeConfiguration.read(file, Map.of())))
                    .containsExactly("there is no configuration '%s'; create it or name another file".formatted(file));
        }

        @Test
        void fileThatIsNotUtf8IsRejected() throws IOException {
            var file = Files.write(folder.resolve("mcp.json"), new byte[] {'{', (byte) 0xFF, '}'});

            assertThat(Refused.problems(() -> BridgeConfiguration.read(file, Map.of())))
                    .containsExactly("the configuration '%s' is not UTF-8 text".formatted(file));
        }
    }

    @Nested
    class FromElsewhere {

        @Test
        void presetDefinesItsThreeServers() {
            var configuration = parse("{\"bridge\": {\"servers\": \"defaults\"}}");

            assertThat(configuration.servers())
                    .extracting(ServerSettings::name)
                    .containsExactly("deploy", "github", "observability");
            assertThat(server(configuration, "github").settings().text("url")).contains("http://localhost:3001");
            assertThat(server(configuration, "deploy").settings().text("url")).contains("http://localhost:3002");
            assertThat(server(configuration, "observability").settings().text("url"))
                    .contains("http://localhost:3003");
            assertThat(server(configuration, "deploy").timeout()).isEqualTo(Duration.ofSeconds(60));
            assertThat(server(configuration, "github").timeout()).isEqualTo(Duration.ofSeconds(30));
            assertThat(configuration.servers())
                    .allSatisfy(server -> assertThat(server.retry()).isEqualTo(RetrySettings.DEFAULTS));
        }

        @Test
        void unknownPresetIsRejected() {
            assertThat(problems("{\"bridge\": {\"servers\": \"mine\"}}"))
                    .containsExactly(
                            "line 1: 'bridge.servers' is 'mine' but must be 'defaults'; servers of your own stand in"
                                    + " 'mcpServers'");
        }

        @Test
        void endpointVariablesDefineServers() {
            var configuration = BridgeConfiguration.parse(
                    "{}",
                    folder,
                    Map.of(
                            "MCP_DEPLOY_ENDPOINT", "https://deploy.example/mcp",
                            "MCP_MY_TOOL_ENDPOINT", "unix:/run/tool.sock",
                            "MCP_BRIDGE_TIMEOUT", "1000"));

            assertThat(server(configuration, "deploy").type()).isEqualTo("http");
            assertThat(server(configuration, "deploy").timeout()).isEqualTo(Duration.ofSeconds(60));
            assertThat(server(configuration, "my-tool").type()).isEqualTo("unix");
            assertThat(server(configuration, "my-tool").settings().text("path")).contains("/run/tool.sock");
            assertThat(server(configuration, "my-tool").timeout()).isEqualTo(Duration.ofSeconds(1));
        }

        @Test
        void environmentOverridesThePreset() {
            var configuration = BridgeConfiguration.parse(
                    "{\"bridge\": {\"servers\": \"defaults\"}}",
                    folder,
                    Map.of("MCP_GITHUB_ENDPOINT", "http://localhost:9"));

            assertThat(server(configuration, "github").settings().text("url")).contains("http://localhost:9");
        }

        @Test
        void fileOverridesTheEnvironmentWithARemark() {
            var configuration = BridgeConfiguration.parse(
                    servers("\"github\": {\"command\": \"x\"}"),
                    folder,
                    Map.of("MCP_GITHUB_ENDPOINT", "http://localhost:9"));

            assertThat(server(configuration, "github").type()).isEqualTo("stdio");
            assertThat(configuration.remarks())
                    .containsExactly(
                            "the server 'github' stands in 'mcpServers'; what the environment says of it is ignored");
        }

        @Test
        void passwordInAnEndpointIsNotQuoted() {
            var environment = Map.of("MCP_GITHUB_ENDPOINT", "http://u:geheim@a b/");

            assertThat(Refused.problems(() -> BridgeConfiguration.parse("{}", folder, environment)))
                    .singleElement()
                    .asString()
                    .contains("is 'http://***@a b/' but must be")
                    .doesNotContain("geheim");
        }

        @ParameterizedTest(name = "''{0}''")
        @CsvSource({"''", "localhost:3001", "ftp://x", "http://", "http://a b"})
        void invalidEndpointIsRejected(String endpoint) {
            var environment = Map.of("MCP_GITHUB_ENDPOINT", endpoint);

            assertThat(Refused.problems(() -> BridgeConfiguration.parse("{}", folder, environment)))
                    .containsExactly(
                            "the endpoint of server 'github' is '%s' but must be an http, https or unix URL, such as http://localhost:3001"
                                    .formatted(endpoint));
        }

        @Test
        void timeoutVariableIsTheDefaultForServers() {
            var configuration = BridgeConfiguration.parse(
                    servers("\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"x\", \"timeout\": \"2s\"}"),
                    folder,
                    Map.of("COLIBRI_MCP_TIMEOUT", "1500"));

            assertThat(server(configuration, "a").timeout()).isEqualTo(Duration.ofMillis(1500));
            assertThat(server(configuration, "b").timeout()).isEqualTo(Duration.ofSeconds(2));
        }

        @Test
        void legacyVariableFailsTheStart() {
            assertThat(Refused.problems(() -> BridgeConfiguration.parse("{}", folder, Map.of("AMS_MCP_TIMEOUT", "5"))))
                    .containsExactly("legacy AMS_MCP_TIMEOUT: set 'MCP_BRIDGE_TIMEOUT' instead");
        }
    }

    @Test
    void callsAreLoggedIfTheBridgeOrTheServerEnablesIt() {
        var servers =
                "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"b\": {\"command\": \"x\", \"log-calls\": %s}}%s}";

        var usual = parse(servers.formatted(true, ""));
        var logged = parse(servers.formatted(false, ", \"bridge\": {\"log-calls\": true}"));

        assertThat(server(usual, "a").logsCalls()).isFalse();
        assertThat(server(usual, "b").logsCalls()).isTrue();
        assertThat(server(logged, "a").logsCalls()).isTrue();
        assertThat(server(logged, "b").logsCalls()).isFalse();
        assertThat(problems("{\"bridge\": {\"log-calls\": 1}}"))
                .containsExactly("line 1: 'bridge.log-calls' is 1 but must be true or false");
    }

    private BridgeConfiguration parse(String json) {
        return BridgeConfiguration.parse(json, folder, Map.of());
    }

    private java.util.List<String> problems(String json) {
        return Refused.problems(() -> parse(json));
    }

    private static String servers(String members) {
        return "{\"mcpServers\": {%s}}".formatted(members);
    }

    private static ServerSettings server(BridgeConfiguration configuration, String name) {
        return configuration.server(name).orElseThrow();
    }
}
