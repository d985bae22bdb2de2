package io.mcpbridge.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** D2: what may stand above a folder that is ours alone. */
@DisabledOnOs(OS.WINDOWS)
class PrivateFolderTest {
    private static final int STICKY = 01000;

    @TempDir
    Path folder;

    private Path above;

    @BeforeEach
    void makeWhatIsAbove() throws IOException {
        above = Files.createDirectory(folder.resolve("above"));
    }

    private void prepare() throws IOException {
        PrivateFolder.of(above.resolve("ours"), "the folder of the test", OwnUser.ofThisProcess())
                .prepare();
    }

    private void allow(String permissions) throws IOException {
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString(permissions));
    }

    private void setOwner(String owner, String group) throws IOException {
        var users = FileSystems.getDefault().getUserPrincipalLookupService();
        var view = Files.getFileAttributeView(above, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        try {
            view.setGroup(users.lookupPrincipalByGroupName(group));
            view.setOwner(users.lookupPrincipalByName(owner));
        } catch (IOException notAllowed) {
            assumeTrue(false, "only root can make a folder of another user");
        }
    }

    private void assertRejected(String why) {
        assertThatThrownBy(this::prepare)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("the folder of the test", "is not safe", above.toString(), why)
                .hasMessageContaining(
                        "use a folder of your own with mode 0700, below folders to which only you and root");
        assertThat(above.resolve("ours")).doesNotExist();
    }

    @Test
    void checkCreatesNothing() throws Exception {
        allow("rwxr-xr-x");

        PrivateFolder.of(above.resolve("more").resolve("ours"), "the folder of the test", OwnUser.ofThisProcess())
                .check();

        assertThat(above).isEmptyDirectory();
    }

    @Test
    void parentThatOnlyOurUserMayWriteToIsAccepted() throws Exception {
        allow("rwxr-xr-x");

        prepare();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(above.resolve("ours"))))
                .isEqualTo("rwx------");
    }

    @Test
    void parentOfAnotherUserIsRejected() throws Exception {
        allow("rwxr-xr-x");
        setOwner("54321", "54321");

        assertRejected("belongs to '54321', who may replace it");
    }

    @ParameterizedTest
    @CsvSource({"root, 54321", "root, daemon"})
    void groupWritableParentIsRejected(String owner, String group) throws Exception {
        allow("rwxrwxr-x");
        setOwner(owner, group);

        assertRejected(
                "the group '%s' may write to its parent folder '%s', which is not sticky".formatted(group, above));
    }

    @Test
    void parentWritableByTheGroupOfItsOwnerIsAccepted() throws Exception {
        setOwner("root", "root");
        allow("rwxrwxr-x");

        prepare();

        assertThat(above.resolve("ours")).isDirectory();
    }

    @ParameterizedTest
    @CsvSource({"rwxrwxr-x", "rwxrwxrwx"})
    void stickyParentOfRootIsAccepted(String permissions) throws Exception {
        setOwner("root", "54321");
        allow(permissions);
        var mode = (Integer) Files.getAttribute(above, "unix:mode");
        Files.setAttribute(above, "unix:mode", mode | STICKY);

        prepare();

        assertThat(above.resolve("ours")).isDirectory();
    }
}
