package io.mcpbridge.cli.trail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Predicate;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TrailTest {

    @TempDir
    Path folder;

    private final Shown shown = new Shown();

    @Test
    void callIsShownAsOneLine() {
        new Records(folder).enter("c1", "get_issue").exit("c1", "get_issue");

        trail().showAll(TrailFilter.ALL);

        assertThat(shown.lines())
                .singleElement()
                .asString()
                .matches("2026-01-31T08:00:00.001Z c1 +ann +desk +github.get_issue +ok +12ms +1");
    }

    @Test
    void callShowsTheSandboxLevelOfItsServer() {
        new Records(folder)
                .held("c1", "get_issue", "L2")
                .exit("c1", "get_issue")
                .held("c2", "list", "L0");

        trail().showAll(TrailFilter.ALL);

        assertThat(shown.lines().get(0)).matches(".* ok +12ms +1 L2");
        assertThat(shown.lines().get(1)).contains(" open ").endsWith(" L0");
    }

    @Test
    void callsAreSortedByEndAndOpenOnesComeLast() {
        new Records(folder)
                .enter("c1", "slow")
                .enter("c2", "fast")
                .enter("c3", "open")
                .exit("c2", "fast")
                .exit("c1", "slow", "{\"isError\":true}");

        trail().showAll(TrailFilter.ALL);

        assertThat(shown.lines()).hasSize(3);
        assertThat(shown.lines().get(0)).contains("github.fast", " ok ");
        assertThat(shown.lines().get(1)).contains("github.slow", " tool-error ");
        assertThat(shown.lines().get(2)).contains("github.open", " open");
    }

    @Test
    void denialsAndNotesAreShown() {
        new Records(folder).denied("c1", "drop", "the rate limit of 5").note("gap");

        trail().showAll(TrailFilter.ALL);

        assertThat(shown.lines().get(0)).contains("bob", "github.drop", "denied", "the rate limit of 5");
        assertThat(shown.lines().get(1)).contains("note: ", "gap");
    }

    @Test
    void inDoubtCallHasNoDurationAndNoAttempts() {
        new Records(folder).enter("c1", "t").inDoubt("c1", "t");

        trail().showAll(TrailFilter.ALL);

        assertThat(shown.lines()).singleElement().asString().containsPattern("in-doubt +- +- ");
    }

    @Test
    void terminalSequencesOfPeersAreEscaped() {
        new Records(folder)
                .enter("c\u001b[2J1", "x\u202ey\u009bz", "ann\r\n", "")
                .denied("c2", "\u2028", "\u0007\u200b");

        trail().showAll(TrailFilter.ALL);

        assertThat(String.join("", shown.lines()))
                .contains("[2J1", "ann", "200b")
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028]");
    }

    @Nested
    class TheLast {

        @Test
        void lastEndedCallsAreShown() {
            var records = new Records(folder);
            for (int i = 0; i < 10_000; i++) {
                records.enter("c" + i, "t").exit("c" + i, "t");
            }

            trail().showLast(3, TrailFilter.ALL);

            assertThat(shown.lines())
                    .hasSize(3)
                    .extracting(line -> line.substring(25, 31))
                    .containsExactly("c9997 ", "c9998 ", "c9999 ");
        }

        @Test
        void lastCallsShowTheirCallerHoweverLongTheyTook() {
            var records = new Records(folder).enter("long", "t", "zoe", "");
            for (int i = 0; i < 3_000; i++) {
                records.enter("c" + i, "t").exit("c" + i, "t");
            }
            records.exit("long", "t");

            trail().showLast(1, TrailFilter.ALL);

            assertThat(shown.lines()).singleElement().asString().contains("long", "zoe");
        }

        @Test
        void lastCallsAreSearchedInAllSegments() {
            var records =
                    new Records(folder).enter("c1", "rare").exit("c1", "rare").rotate();
            for (int i = 0; i < 2_000; i++) {
                records.enter("d" + i, "t").exit("d" + i, "t");
            }

            trail().showLast(5, ofTool("rare"));

            assertThat(shown.lines()).singleElement().asString().contains("github.rare");
        }
    }

    @Nested
    class Moments {

        @Test
        void timeRangeLimitsTheCalls() {
            new Records(folder)
                    .at("2026-01-01T00:00:00Z")
                    .enter("c1", "t")
                    .exit("c1", "t")
                    .rotate()
                    .at("2026-01-02T00:00:00Z")
                    .enter("c2", "t")
                    .exit("c2", "t")
                    .rotate()
                    .at("2026-01-03T00:00:00Z")
                    .enter("c3", "t")
                    .exit("c3", "t");

            trail().showAll(between("2026-01-01T12:00:00Z", "2026-01-02T12:00:00Z"));

            assertThat(shown.lines()).singleElement().asString().contains("c2");
        }

        @Test
        void callThatOverlapsTheTimeRangeIsShown() {
            new Records(folder)
                    .at("2026-01-01T00:00:00Z")
                    .enter("c1", "t")
                    .rotate()
                    .at("2026-01-01T00:05:00Z")
                    .note("gap")
                    .exit("c1", "t");

            trail().showAll(between("2026-01-01T00:04:00Z", "2026-01-01T00:04:30Z"));

            assertThat(shown.lines()).singleElement().asString().contains("c1", "ann", " ok ");
        }
    }

    @Nested
    class WhatIsNoRecord {

        @Test
        void malformedLineIsReported() {
            new Records(folder)
                    .enter("c1", "t")
                    .append("garbage\n")
                    .append("{\"data\":{}}\n")
                    .exit("c1", "t");

            trail().showAll(TrailFilter.ALL);

            assertThat(shown.lines()).hasSize(1);
            assertThat(shown.remarks())
                    .hasSize(2)
                    .allMatch(remark -> remark.contains("segment '00000000000000000001.jsonl'"));
        }

        @Test
        void overlongLineIsSkipped() {
            new Records(folder)
                    .append("x".repeat(40 << 20) + "\n")
                    .enter("c1", "t")
                    .exit("c1", "t");

            trail().showAll(TrailFilter.ALL);

            assertThat(shown.lines()).singleElement().asString().contains("c1");
            assertThat(shown.remarks()).isNotEmpty();
        }

        @Test
        void partialLastRecordIsIgnored() {
            new Records(folder).enter("c1", "t").exit("c1", "t").append("{\"data\":{\"corre");

            trail().showAll(TrailFilter.ALL);

            assertThat(shown.lines()).hasSize(1);
            assertThat(shown.remarks()).isEmpty();
        }
    }

    @Nested
    class NoTrail {

        @Test
        void missingFolderIsRejected() {
            assertThatThrownBy(() -> TrailViewer.at(folder.resolve("none"), TextTrailForm.unbounded(), shown))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("there is no audit trail at '" + folder.resolve("none"));
        }

        @Test
        void emptyFolderIsRejected() {
            assertThatThrownBy(() -> trail().showAll(TrailFilter.ALL)).hasMessageContaining("it holds no segment");
        }

        @Test
        void trailWithoutRecordsIsReported() throws IOException {
            Files.writeString(folder.resolve("checkpoints"), "");

            assertThatThrownBy(() -> trail().showAll(TrailFilter.ALL)).hasMessageContaining("holds no record yet");
        }

        @Test
        void fileInPlaceOfAFolderIsRejected() throws IOException {
            var file = Files.writeString(folder.resolve("file"), "");

            assertThatThrownBy(() -> TrailViewer.at(file, TextTrailForm.unbounded(), shown))
                    .hasMessageContaining("is no folder");
        }
    }

    private TrailViewer trail() {
        return TrailViewer.at(folder, TextTrailForm.unbounded(), shown);
    }

    private static TrailFilter ofTool(String tool) {
        Predicate<TrailEntry> isOfTool = entry -> entry.begun().tool().equals(tool);
        return new TrailFilter(Instant.MIN, Instant.MAX, isOfTool);
    }

    private static TrailFilter between(String since, String until) {
        return new TrailFilter(Instant.parse(since), Instant.parse(until), entry -> true);
    }
}
