package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalog.ToolFinding;
import io.mcpbridge.spi.ToolCatalog.ToolFinding.Kind;
import io.mcpbridge.tool.ToolDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PinnedToolCatalogTest {
    private static final ToolDefinition ECHO = tool("{\"name\":\"echo\",\"description\":\"Says it again.\"}");
    private static final ToolDefinition OTHER_ECHO = tool("{\"name\":\"echo\",\"description\":\"Sends it to me.\"}");
    private static final ToolDefinition SUM = tool("{\"name\":\"sum\",\"inputSchema\":{\"type\":\"object\"}}");

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void approveEchoAndSum() {
        file = folder.resolve("mcp.lock");
        try (var catalog = open(LockMode.WARN)) {
            catalog.update("one", List.of(ECHO, SUM));
            catalog.approve();
        }
    }

    @Test
    void approvedToolsAreAdmitted() {
        try (var catalog = open(LockMode.ENFORCE)) {
            var change = catalog.update("one", List.of(ECHO, SUM));

            assertThat(change.added()).containsExactly("echo", "sum");
            assertThat(catalog.findings()).isEmpty();
            assertThat(catalog.isStrict()).isTrue();
        }
    }

    @Test
    void definitionInAnotherNotationIsTheSame() {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update(
                    "one", List.of(tool("{ \"description\": \"Says it \\u0061gain.\", \"name\": \"echo\" }"), SUM));

            assertThat(catalog.findings()).isEmpty();
        }
    }

    @Test
    void changedDefinitionIsWithheldAndOthersAreNot() {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("one", List.of(ECHO, SUM));

            var change = catalog.update("one", List.of(OTHER_ECHO, SUM));

            assertThat(change).isEqualTo(new ToolCatalog.Change(List.of(), List.of("echo"), List.of(), 1));
            assertThat(catalog.snapshot().find("one", "echo")).isEmpty();
            assertThat(catalog.snapshot().find("one", "sum")).contains(SUM);
            assertThat(catalog.findings())
                    .containsExactly(new ToolFinding(
                            "one",
                            "echo",
                            Kind.CHANGED,
                            "its definition differs from the approved one in 'description'",
                            List.of("- /description: \"Says it again.\"", "+ /description: \"Sends it to me.\""),
                            true));
        }
    }

    @Test
    void allMembersAreCompared() {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update(
                    "one", List.of(tool("{\"name\":\"sum\",\"inputSchema\":{\"type\":\"object\"},\"x-own\":1}")));

            assertThat(catalog.snapshot().tools()).isEmpty();
            assertThat(finding(catalog, "sum").details()).containsExactly("+ /x-own: 1");
        }
    }

    @Test
    void toolOfAnotherServerIsNotApprovedByItsName() {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("two", List.of(ECHO));

            assertThat(catalog.snapshot().tools()).isEmpty();
            assertThat(finding(catalog, "echo").kind()).isEqualTo(Kind.NEW);
        }
    }

    @Test
    void listsOfUsersAreComparedWithTheirServer() {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("one@token:alice", List.of(ECHO));
            catalog.update("one#2", List.of(OTHER_ECHO));

            assertThat(catalog.snapshot().find("one@token:alice", "echo")).contains(ECHO);
            assertThat(catalog.snapshot().find("one#2", "echo")).isEmpty();
        }
    }

    @Test
    void goneToolIsReportedAndNothingIsWithheld() {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("one", List.of(SUM));

            assertThat(catalog.findings())
                    .containsExactly(new ToolFinding(
                            "one", "echo", Kind.GONE, "its server no longer lists it", List.of(), false));
        }
    }

    @Test
    void toolWithAWarningIsAdmitted() {
        try (var catalog = open(LockMode.WARN)) {
            catalog.update("one", List.of(OTHER_ECHO, SUM));

            assertThat(catalog.snapshot().find("one", "echo")).contains(OTHER_ECHO);
            assertThat(finding(catalog, "echo").isWithheld()).isFalse();
            assertThat(catalog.isStrict()).isFalse();
        }
    }

    @Test
    void nothingIsComparedInModeOff() {
        try (var catalog = open(LockMode.OFF)) {
            catalog.update("one", List.of(OTHER_ECHO));

            assertThat(catalog.snapshot().find("one", "echo")).contains(OTHER_ECHO);
            assertThat(catalog.findings()).isEmpty();
        }
    }

    @Test
    void listenerReceivesEachFindingOnce() {
        var heard = new ArrayList<ToolFinding>();
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.onFindings(heard::addAll);

            catalog.update("one", List.of(OTHER_ECHO, SUM));
            catalog.update("one", List.of(OTHER_ECHO, SUM));
            catalog.update("one@token:bob", List.of(OTHER_ECHO, SUM));

            assertThat(heard).extracting(ToolFinding::tool).containsExactly("echo");
        }
    }

    @Test
    void approvalByAnotherProcessAppliesAfterAReload() {
        try (var daemon = open(LockMode.ENFORCE);
                var command = open(LockMode.WARN)) {
            daemon.update("one", List.of(OTHER_ECHO, SUM));
            command.update("one", List.of(OTHER_ECHO, SUM));

            command.approve();

            assertThat(daemon.reload()).isTrue();
            assertThat(daemon.reload()).isFalse();
            assertThat(daemon.snapshot().find("one", "echo")).contains(OTHER_ECHO);
            assertThat(daemon.findings()).isEmpty();
        }
    }

    @Test
    void approvalKeepsThePinsOfOtherServers() {
        try (var catalog = open(LockMode.WARN)) {
            catalog.update("two", List.of(ECHO));
            catalog.approve();
        }

        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("one", List.of(ECHO, SUM));
            catalog.update("two", List.of(ECHO));

            assertThat(catalog.findings()).isEmpty();
        }
    }

    @Test
    void goneToolIsRemovedByAnApproval() {
        try (var catalog = open(LockMode.WARN)) {
            catalog.update("one", List.of(SUM));
            catalog.approve();

            assertThat(catalog.findings()).isEmpty();
        }
    }

    @Test
    void removedServerHasNoFindings() {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("one", List.of(OTHER_ECHO));
            catalog.remove("one");

            assertThat(catalog.findings()).isEmpty();
        }
    }

    @Test
    void hiddenCharactersOfApprovedToolAreFlagged() {
        var hiding = tool("{\"name\":\"sum\",\"description\":\"a\\u200bb\"}");
        try (var catalog = open(LockMode.WARN)) {
            catalog.update("one", List.of(hiding));
            catalog.approve();
        }

        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("one", List.of(hiding));

            assertThat(catalog.snapshot().find("one", "sum")).contains(hiding);
            var finding = finding(catalog, "sum");
            assertThat(finding.kind()).isEqualTo(Kind.SUSPICIOUS);
            assertThat(finding.details()).containsExactly("! hidden characters in /description: U+200B");
        }
    }

    @Test
    void veryLongDescriptionIsFlagged() {
        try (var catalog = open(LockMode.WARN)) {
            catalog.update("one", List.of(tool("{\"name\":\"long\",\"description\":\"" + "x".repeat(5_001) + "\"}")));

            assertThat(finding(catalog, "long").details())
                    .contains("! /description has 5001 characters, which is more than people read");
        }
    }

    @Test
    void missingFileIsRejectedInModeEnforce() throws IOException {
        Files.delete(file);

        assertThatThrownBy(() -> open(LockMode.ENFORCE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no lock file '%s'".formatted(file))
                .hasMessageContaining("'mcp-bridge lock'");
    }

    @Test
    void manuallyChangedDefinitionIsReported() throws IOException {
        Files.writeString(file, Files.readString(file).replace("Says it again.", "Says nothing."));

        assertThatThrownBy(() -> open(LockMode.ENFORCE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the tool 'echo' of server 'one'")
                .hasMessageContaining("approve the tool again");
    }

    @Test
    void unusableFileKeepsTheOldApprovals() throws IOException {
        try (var catalog = open(LockMode.ENFORCE)) {
            catalog.update("one", List.of(ECHO, SUM));
            Files.writeString(file, "<<<<<<< ours");

            assertThatThrownBy(catalog::reload).hasMessageContaining("is not a JSON object");
            assertThat(catalog.snapshot().find("one", "echo")).contains(ECHO);
        }
    }

    @Test
    void fileDoesNotDependOnTheOrderOfTheServer() throws IOException {
        var before = Files.readString(file);
        try (var catalog = open(LockMode.WARN)) {
            catalog.update("one", List.of(SUM, ECHO));
            catalog.approve();
        }

        assertThat(Files.readString(file))
                .isEqualTo(before)
                .startsWith("{\n  \"lockVersion\" : 1,\n  \"servers\" : {\n    \"one\" : {\n      \"echo\" : {\n")
                .endsWith("}\n");
    }

    private PinnedToolCatalog open(LockMode mode) {
        return PinnedToolCatalog.open(new LockSettings(file, mode));
    }

    private static ToolFinding finding(ToolCatalog catalog, String tool) {
        return catalog.findings().stream()
                .filter(finding -> finding.tool().equals(tool))
                .findFirst()
                .orElseThrow();
    }

    private static ToolDefinition tool(String json) {
        return ToolDefinition.parse(json);
    }
}
