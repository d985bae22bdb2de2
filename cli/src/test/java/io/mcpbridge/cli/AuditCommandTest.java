package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.cli.trail.Records;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class AuditCommandTest {

    @TempDir
    Path folder;

    @Test
    void usageIsShownWithoutASubcommand() {
        var run = RunCommand.of("audit");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("tail", "show");
    }

    @ParameterizedTest(name = "audit {0}")
    @ValueSource(strings = {"tail", "show"})
    void missingTrailIsAUsageError(String subcommand) {
        var run = RunCommand.of(
                "audit", subcommand, "--dir", folder.resolve("none").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("there is no audit trail at", "none");
    }

    @ParameterizedTest(name = "audit {0}")
    @ValueSource(strings = {"tail", "show"})
    void trailWithoutRecordsIsReportedWithoutATableHeader(String subcommand) throws IOException {
        Files.createFile(folder.resolve("checkpoints"));

        var run = RunCommand.of("audit", subcommand, "--dir", folder.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("the audit trail in '" + folder + "' holds no record yet");
    }

    @ParameterizedTest(name = "audit {0}")
    @ValueSource(strings = {"tail", "show"})
    void openOutcomeAndJsonExcludeEachOther(String subcommand) {
        new Records(folder).enter("c1", "get").exit("c1", "get").enter("c2", "get");

        var run = RunCommand.of("audit", subcommand, "--dir", folder.toString(), "--json", "--outcome", "ok,open");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("'--outcome open' and '--json' cannot be given together");
    }

    @Test
    void folderIsReadFromTheConfiguration() throws IOException {
        new Records(folder).enter("c1", "get").exit("c1", "get");
        var file = Files.writeString(folder.resolve("mcp.json"), """
            {"bridge": {"audit": {"sink": "file", "path": "%s"}}}\
            """.formatted(folder));

        var run = RunCommand.of("audit", "show", "--config", file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("github.get");
    }

    @Test
    void secretsOfServersAreNotNeededToReadATrail() throws IOException {
        new Records(folder).enter("c1", "get").exit("c1", "get");
        var file = Files.writeString(folder.resolve("mcp.json"), """
            {"bridge": {"audit": {"path": "%s"}, "clients": {"token": "${env:NOT_THERE_1}"}},
             "mcpServers": {"github": {"url": "https://x.example", "headers": {"A": "${env:NOT_THERE_2}"}}}}\
            """.formatted(folder));

        var run = RunCommand.of("audit", "show", "--config", file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("github.get");
    }

    @Test
    void placeholdersInTheAuditSectionMustBeSet() throws IOException {
        var file = Files.writeString(folder.resolve("mcp.json"), """
            {"bridge":
              {"audit": {"path": "${env:NOT_THERE_3}"}}}\
            """);

        var run = RunCommand.of("audit", "show", "--config", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("mcp.json: line 2", "set the environment variable 'NOT_THERE_3'");
    }

    @Nested
    class OfFourCalls {

        @BeforeEach
        void write() {
            new Records(folder)
                    .at("2026-01-31T08:00:00Z")
                    .enter("aaaa1", "get_issue")
                    .exit("aaaa1", "get_issue")
                    .at("2026-01-31T09:00:00Z")
                    .enter("bbbb2", "delete_issue", "zoe", "")
                    .exit("bbbb2", "delete_issue", "{\"isError\":true}")
                    .at("2026-01-31T10:00:00Z")
                    .denied("cccc3", "delete_repo", "the rate limit")
                    .note("gap")
                    .enter("dddd4", "get_issue")
                    .fail("dddd4", "get_issue", ErrorCode.OVERLOADED);
        }

        @ParameterizedTest(name = "{0} {1}")
        @CsvSource({
            "--tool, get_*, aaaa1 dddd4",
            "--tool, github.delete_*, bbbb2 cccc3",
            "--server, git*, aaaa1 bbbb2 cccc3 dddd4",
            "--server, other, ''",
            "--principal, zoe, bbbb2",
            "--client, desk, aaaa1 bbbb2 dddd4",
            "--outcome, ok, aaaa1",
            "'--outcome', 'ok,denied', aaaa1 cccc3",
            "--outcome, error, dddd4",
            "--since, 2026-01-31T09:30:00Z, cccc3 note: dddd4",
            "--until, 2026-01-31T08:30:00Z, aaaa1"
        })
        void filterSelectsCalls(String option, String value, String calls) {
            var run = RunCommand.of("audit", "show", "--dir", folder.toString(), option, value);

            assertThat(run.out().lines().skip(1).map(line -> line.split(" +", -1)[1]))
                    .containsExactly(calls.isEmpty() ? new String[0] : calls.split(" ", -1));
        }

        @Test
        void denialsAndNotesCanBeSelected() {
            assertThat(show("--denied")).contains("cccc3").doesNotContain("aaaa1", "note:");
            assertThat(show("--notes")).contains("note: gap lost=3").doesNotContain("cccc3");
        }

        @Test
        void jsonPrintsRecordsUnchanged() throws IOException {
            var run = RunCommand.of("audit", "show", "--dir", folder.toString(), "--json");

            assertThat(run.out()).isEqualTo(Files.readString(folder.resolve("00000000000000000001.jsonl")));
            assertThat(run.out().lines())
                    .hasSize(8)
                    .allMatch(line -> Json.parse(line).asMap().containsKey("zhash"));
        }

        @Test
        void filterByPrincipalAppliesToAllRecordsOfACall() {
            var run = RunCommand.of("audit", "show", "--dir", folder.toString(), "--json", "--principal", "zoe");

            assertThat(run.out().lines()).hasSize(2).allMatch(line -> line.contains("bbbb2"));
        }

        @Test
        void tailShowsTheLastCalls() {
            var run = RunCommand.of("audit", "tail", "--dir", folder.toString(), "-n", "2");

            assertThat(run.out().lines().skip(1)).hasSize(2);
            assertThat(run.out()).contains("note: gap", "dddd4");
        }

        @Test
        void errorWithoutAMessageIsShownByItsReason() {
            var run = RunCommand.of("audit", "show", "--dir", folder.toString(), "--outcome", "error");

            assertThat(run.out()).contains(ErrorCode.OVERLOADED.jsonRpcCode() + " overloaded");
        }

        @Test
        void showPrintsAllRecordsOfOneCall() {
            var run = RunCommand.of("audit", "show", "--dir", folder.toString(), "bbbb");

            assertThat(run.out()).contains("call bbbb2", "outcome: tool-error", "\"name\":\"zoe\"", "record 4");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }

        @Test
        void unknownCallIsReported() {
            var run = RunCommand.of("audit", "show", "--dir", folder.toString(), "ffff");

            assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
            assertThat(run.err()).contains("no call whose id begins with 'ffff'");
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource({
            "show aaa, at least the first 4 digits",
            "tail -n -1, between 0 and 1000000",
            "tail --follow --until 1m, cannot be given with",
            "tail --since yesterday, must be a moment such as",
            "show --outcome deny, 'denied, open'",
            "tail --outcome in-dubt, did you mean 'in-doubt'?"
        })
        void contradictingOptionsAreRejected(String words, String message) {
            var run = RunCommand.of(("audit " + words + " --dir " + folder).split(" ", -1));

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains(message);
            assertThat(run.out()).isEmpty();
        }

        private String show(String option) {
            return RunCommand.of("audit", "show", "--dir", folder.toString(), option)
                    .out();
        }
    }
}
