package io.mcpbridge.conformance;

import io.mcpbridge.peers.JavaCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library passes the suite's scenarios for clients, except those of authorization. */
@RequiresSuite
@Timeout(60)
class ConformanceOfConnectionTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"})
    void legacyScenarioPasses(String scenario) throws Exception {
        ConformanceSuite.client(client(), Scenarios.LEGACY, scenario).assertPassed(Set.of(scenario));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tools_call",
                "request-metadata",
                "sep-2322-client-request-state",
                "http-standard-headers",
                "http-custom-headers",
                "http-invalid-tool-headers",
                "json-schema-ref-no-deref"
            })
    void modernScenarioPasses(String scenario) throws Exception {
        ConformanceSuite.client(client(), Scenarios.MODERN, scenario).assertPassed(Set.of(scenario));
    }

    /** A command without quotes and blanks, since the suite has a shell take it apart. */
    private String client() throws IOException {
        var command = JavaCommand.of(ConformanceClient.class.getName());
        var arguments = folder.resolve("client.args");
        Files.writeString(
                arguments,
                command.stream().skip(1).map(value -> '"' + value + '"').collect(Collectors.joining("\n")));
        return command.get(0) + " @" + arguments;
    }
}
