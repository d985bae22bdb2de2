package io.mcpbridge.cli.trail;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.ParsedRecord;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallRecordFinderTest {
    private static final String ASKING = "{\"resultType\":\"input_required\"}";

    @TempDir
    Path folder;

    @Test
    void idPrefixFindsAllRecordsOfACall() {
        new Records(folder)
                .enter("aaaa1", "t")
                .enter("bbbb1", "t")
                .exit("aaaa1", "t")
                .exit("bbbb1", "t");

        assertThat(CallRecordFinder.in(folder, "aaaa"))
                .extracting(ParsedRecord::sequence)
                .containsExactly(1L, 3L);
    }

    @Test
    void allRoundsAreFoundFromAnyOfThem() {
        new Records(folder)
                .enter("aaaa", "t")
                .exit("aaaa", "t", ASKING)
                .enter("xxxx", "t")
                .exit("xxxx", "t")
                .rotate()
                .enter("bbbb", "t", "ann", "aaaa")
                .exit("bbbb", "t", ASKING)
                .enter("cccc", "t", "ann", "bbbb")
                .exit("cccc", "t");

        for (var id : new String[] {"aaaa", "bbbb", "cccc"}) {
            assertThat(CallRecordFinder.in(folder, id))
                    .extracting(ParsedRecord::sequence)
                    .containsExactly(1L, 2L, 5L, 6L, 7L, 8L);
        }
    }

    @Test
    void reportShowsAllEscapedMembersOfACall() {
        new Records(folder).enter("aaaa", "a\u001b[31m").exit("aaaa", "a\u001b[31m");

        var page = CallReport.of(CallRecordFinder.in(folder, "aaaa"));

        assertThat(page.get(0)).isEqualTo("call aaaa");
        assertThat(page)
                .contains(
                        "    principal: {\"name\":\"ann\",\"proof\":\"token\"}",
                        "    tool: a\\u001b[31m",
                        "    durationMs: 12",
                        "    outcome: ok");
    }

    @Test
    void unknownIdFindsNothing() {
        new Records(folder).enter("aaaa", "t");

        assertThat(CallRecordFinder.in(folder, "bbbb")).isEmpty();
    }
}
