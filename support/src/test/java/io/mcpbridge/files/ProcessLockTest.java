package io.mcpbridge.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs({OS.LINUX, OS.MAC})
class ProcessLockTest {
    @TempDir
    private Path folder;

    @Test
    void deletedLockLeavesNoFileAndCanBeTakenAgain() throws IOException {
        take().delete();

        assertThat(file()).doesNotExist();
        try (var again = take()) {
            assertThat(again.isIntact()).isTrue();
        }
    }

    @Test
    void closedLockLeavesItsFile() throws IOException {
        take().close();

        assertThat(file()).exists();
        take().delete();
    }

    @Test
    void heldLockIsNotTakenTwice() throws IOException {
        try (var held = take()) {
            assertThatThrownBy(this::take)
                    .hasMessage("held by " + ProcessHandle.current().pid());
            assertThat(held.isIntact()).isTrue();
        }
    }

    @Test
    void deleteLeavesTheFileOfAnother() throws IOException {
        var lock = take();
        Files.delete(file());
        Files.writeString(file(), "another's");

        lock.delete();

        assertThat(file()).hasContent("another's");
    }

    private ProcessLock take() throws IOException {
        return ProcessLock.take(
                file(), "the lock", OwnUser.ofThisProcess(), pid -> new IllegalStateException("held by " + pid));
    }

    private Path file() {
        return folder.resolve("x.lock");
    }
}
