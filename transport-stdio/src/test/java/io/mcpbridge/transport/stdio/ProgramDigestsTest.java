package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** When a program is read again to know its digest. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProgramDigestsTest {
    private final ProgramDigests digests = new ProgramDigests();

    @TempDir
    Path folder;

    private Path program;
    private Instant later;

    @BeforeEach
    void makeAProgram() throws Exception {
        program = Files.writeString(folder.resolve("server"), "one");
        later = Instant.now().plusSeconds(60);
    }

    @Test
    void whatHasNotChangedIsNotReadAgain() throws Exception {
        var first = digests.of(program, later);

        assertThat(digests.of(program, later)).isSameAs(first);
    }

    @Test
    @DisplayName("E22: who gives a file its old size and time back is found all the same")
    void whoGivesItsOldSizeAndTimeBackIsFound() throws Exception {
        var first = digests.of(program, later);
        var time = Files.getLastModifiedTime(program);

        // The system notes changes by its own clock, which takes a moment to go on.
        var before = FileStamp.of(program);
        do {
            Files.writeString(program, "two");
            Files.setLastModifiedTime(program, time);
        } while (FileStamp.of(program).equals(before));

        assertThat(digests.of(program, later).digest()).isNotEqualTo(first.digest());
    }

    @Test
    @DisplayName("E22: another file of the same kind in its place is read")
    void anotherFileInItsPlaceIsRead() throws Exception {
        var first = digests.of(program, later);
        var other = Files.writeString(folder.resolve("other"), "two");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(program));

        Files.move(other, program, StandardCopyOption.REPLACE_EXISTING);

        assertThat(digests.of(program, later).digest()).isNotEqualTo(first.digest());
    }

    @Test
    void whatHasChangedAMomentAgoIsReadAgainSinceTheNextChangeMightNotShow() throws Exception {
        var first = digests.of(program, Instant.now());

        assertThat(digests.of(program, Instant.now())).isNotSameAs(first).isEqualTo(first);
    }
}
