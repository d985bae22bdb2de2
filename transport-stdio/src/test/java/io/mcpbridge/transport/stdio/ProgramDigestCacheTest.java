package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.transport.stdio.ProgramDigestCache.DigestedFile;
import io.mcpbridge.transport.stdio.ProgramDigestCache.FileStamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** When a program is read again to know its digest. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ProgramDigestCacheTest {
    private final ProgramDigestCache digests = new ProgramDigestCache();

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
    void unchangedFileIsNotReadAgain() throws Exception {
        var first = digests.of(program, later);

        assertThat(digests.of(program, later)).isSameAs(first);
    }

    @Test
    @DisplayName("E22: a change is detected even if the file gets its old size and time back")
    void changeWithOldSizeAndTimeIsDetected() throws Exception {
        var first = digests.of(program, later);
        var time = Files.getLastModifiedTime(program);

        // The system notes changes by its own clock, which advances after a moment.
        var before = FileStamp.of(program);
        do {
            Files.writeString(program, "two");
            Files.setLastModifiedTime(program, time);
        } while (FileStamp.of(program).equals(before));

        assertThat(digests.of(program, later).digest()).isNotEqualTo(first.digest());
    }

    @Test
    @DisplayName("E22: a file that replaces the program is read")
    void replacedFileIsRead() throws Exception {
        var first = digests.of(program, later);
        var other = Files.writeString(folder.resolve("other"), "two");
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(program));

        Files.move(other, program, StandardCopyOption.REPLACE_EXISTING);

        assertThat(digests.of(program, later).digest()).isNotEqualTo(first.digest());
    }

    @Test
    void recentlyChangedFileIsReadAgain() throws Exception {
        var first = digests.of(program, Instant.now());

        assertThat(digests.of(program, Instant.now())).isNotSameAs(first).isEqualTo(first);
    }

    @Test
    @DisplayName("E22: a folder renamed during the read does not give the digest of its program to another one")
    void folderRenamedDuringTheReadIsDetected() throws Exception {
        var folders = new TwoFolders(folder);
        var good = digests.of(folders.otherProgram(), later).digest();
        var exchanges = new AtomicInteger();
        var late = new ProgramDigestCache(file -> {
            if (exchanges.getAndIncrement() == 0) {
                folders.exchange();
            }
            return DigestedFile.read(file);
        });

        assertThat(late.of(folders.program(), later).digest()).isEqualTo(good);
        folders.exchange();

        assertThat(late.of(folders.program(), later).digest()).isNotEqualTo(good);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    @DisplayName("E22: a folder that is present only during the read does not lend the digest of its program")
    void folderPresentOnlyDuringTheReadIsDetected() throws Exception {
        var folders = new TwoFolders(folder);
        var lent = new ProgramDigestCache(file -> {
            folders.exchange();
            try {
                return DigestedFile.read(file);
            } finally {
                folders.exchange();
            }
        });

        assertThatThrownBy(() -> lent.of(folders.program(), later))
                .isInstanceOf(IOException.class)
                .hasMessage("another file took its place each time it was read; find out what replaces it");
    }

    @Test
    @DisplayName("E22: a change right after another one, which might not show, is detected by a second read")
    void changeThatMightNotShowIsDetectedByReading() throws Exception {
        var contents = new ArrayDeque<>(List.of("one", "two"));
        var changing = new ProgramDigestCache(file -> new DigestedFile(contents.remove(), Optional.empty()));

        var first = changing.of(program, Instant.now());

        assertThat(first.digest()).isEqualTo("one");
        assertThat(changing.isStill(program, first)).isFalse();
    }

    @Test
    void programIsReadThroughALink() throws Exception {
        var link = Files.createSymbolicLink(folder.resolve("link"), program);

        assertThat(digests.of(link, later)).isEqualTo(digests.of(program, later));
    }

    /** Two programs of one name, of which one stands where the configuration looks. */
    private record TwoFolders(Path root) {
        TwoFolders {
            try {
                Files.writeString(Files.createDirectory(root.resolve("used")).resolve("server"), "one");
                Files.writeString(Files.createDirectory(root.resolve("other")).resolve("server"), "two");
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        Path program() {
            return root.resolve("used").resolve("server");
        }

        Path otherProgram() {
            return root.resolve("other").resolve("server");
        }

        void exchange() throws IOException {
            Files.move(root.resolve("used"), root.resolve("between"));
            Files.move(root.resolve("other"), root.resolve("used"));
            Files.move(root.resolve("between"), root.resolve("other"));
        }
    }
}
