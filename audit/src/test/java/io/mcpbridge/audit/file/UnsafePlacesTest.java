package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row I10: a folder, a segment or a key in whose place something else lies. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class UnsafePlacesTest {
    private static final int OTHER_USER = 65_534;

    @TempDir
    Path folder;

    private TestTrail trail;
    private Path segment;

    @BeforeEach
    void prepare() {
        trail = TestTrail.in(folder);
        segment = trail.folder().resolve("00000000000000000001.jsonl");
    }

    @AfterEach
    void end() {
        trail.close();
    }

    @Test
    void i10LinkInPlaceOfTheFolderIsRejected() throws Exception {
        Files.createSymbolicLink(trail.folder(), Files.createDirectory(folder.resolve("elsewhere")));

        assertRefused("it is a symbolic link");
    }

    @Test
    void i10FileInPlaceOfTheFolderIsRejected() throws Exception {
        Files.createFile(trail.folder());

        assertRefused("it is not a folder");
    }

    @Test
    void i10FolderWritableByOthersIsRejected() throws Exception {
        Files.createDirectory(trail.folder());
        Files.setPosixFilePermissions(trail.folder(), PosixFilePermissions.fromString("rwxrwxrwx"));

        assertRefused("others may write to it (rwxrwxrwx)");
    }

    @Test
    void i10FolderBelowAWorldWritableFolderIsRejected() throws Exception {
        var open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        trail.with("path", open.resolve("trail").toString());

        assertThatThrownBy(() -> FileAuditSinkProvider.requireUsable(open.resolve("trail")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("every user may write to");
    }

    @Test
    void i10KeyBelowAWorldWritableFolderIsRejected() throws Exception {
        var open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        trail.with("key", open.resolve("trail.key").toString());

        assertRefused(
                "the signing key, '%s', is not safe: every user may write to".formatted(open.resolve("trail.key")));
        assertThat(open).isEmptyDirectory();
        assertThat(trail.folder()).doesNotExist();
    }

    @Test
    void i10FolderOfAnotherUserIsRejected() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give a folder away");
        Files.createDirectory(trail.folder());
        Files.setAttribute(trail.folder(), "unix:uid", OTHER_USER);

        assertRefused("it belongs to");
    }

    @Test
    void i10LinkInPlaceOfASegmentIsRejected() throws Exception {
        makeFolder();
        var target = Files.writeString(folder.resolve("precious"), "precious");
        Files.createSymbolicLink(segment, target);

        assertRefused("00000000000000000001.jsonl', is not safe: it is a symbolic link");
        assertThat(target).hasContent("precious");
    }

    @Test
    void i10PipeInPlaceOfASegmentIsRejected() throws Exception {
        makeFolder();
        assertThat(new ProcessBuilder("mkfifo", segment.toString()).start().waitFor())
                .isZero();

        assertRefused("00000000000000000001.jsonl', is not safe: it is no plain file");
    }

    @Test
    void i10SegmentWritableByOthersIsRejected() throws Exception {
        makeFolder();
        Files.createFile(segment);
        Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw-rw-rw-"));

        assertRefused("00000000000000000001.jsonl', is not safe: others may write to it");
    }

    @Test
    void i10SegmentOfAnotherUserIsRejected() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give a file away");
        makeFolder();
        Files.createFile(segment, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.setAttribute(segment, "unix:uid", OTHER_USER);

        assertRefused("00000000000000000001.jsonl', is not safe: it belongs to");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "checkpoints", "resume", "resume.new"})
    void i10LinkInPlaceOfAnyOtherFileIsRejected(String name) throws Exception {
        makeFolder();
        var target = Files.writeString(folder.resolve("precious"), "precious");
        Files.createSymbolicLink(trail.folder().resolve(name), target);

        assertRefused("%s', is not safe: it is a symbolic link".formatted(name));
        assertThat(target).hasContent("precious");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "checkpoints", "resume", "resume.new"})
    void i10PipeInPlaceOfAnyOtherFileIsRejectedAtOnce(String name) throws Exception {
        makeFolder();
        var pipe = trail.folder().resolve(name).toString();
        assertThat(new ProcessBuilder("mkfifo", pipe).start().waitFor()).isZero();

        assertRefused("%s', is not safe: it is no plain file, but a pipe".formatted(name));
    }

    @Test
    void i10LinkInPlaceOfTheKeyIsRejected() throws Exception {
        Files.createSymbolicLink(folder.resolve("trail.key"), Files.createFile(folder.resolve("other")));

        assertRefused(
                "the signing key, '%s', is not safe: it is a symbolic link".formatted(folder.resolve("trail.key")));
    }

    @Test
    void invalidKeyIsRejected() throws Exception {
        makeFolder();
        writeKey("hello", "rw-------");
        Files.writeString(folder.resolve("trail.pub"), "hello");

        assertRefused("which is not an Ed25519 key");
    }

    @Test
    void keyReadableByOthersIsRejected() throws Exception {
        trail.open().close();
        setRights("trail.key", "rw-r-----");

        assertRefused("the signing key, '%s', is not safe: others may use it (rw-r-----); it must be a plain file of"
                .formatted(folder.resolve("trail.key")));
    }

    @Test
    void keyOfAnotherUserIsRejected() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give a file away");
        trail.open().close();
        Files.setAttribute(folder.resolve("trail.key"), "unix:uid", OTHER_USER);

        assertRefused("the signing key, '%s', is not safe: it belongs to".formatted(folder.resolve("trail.key")));
    }

    @Test
    void i10PipeInPlaceOfTheKeyIsRejectedAtOnce() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", folder.resolve("trail.key").toString())
                        .start()
                        .waitFor())
                .isZero();

        assertRefused("trail.key', is not safe: it is no plain file, but a pipe");
    }

    @Test
    void publicKeyWritableByOthersIsRejected() throws Exception {
        trail.open().close();
        setRights("trail.pub", "rw-rw-rw-");

        assertRefused("the public half of the signing key, '%s', is not safe: others may write to it"
                .formatted(folder.resolve("trail.pub")));
    }

    @Test
    void permissionsAreTightenedAndNoted() throws Exception {
        trail.open().close();
        try (var sink = trail.open()) {
            TestTrail.call(sink, "1");
        }
        Files.setPosixFilePermissions(trail.folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(segment, PosixFilePermissions.fromString("rw-r--r--"));

        trail.open().close();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(trail.folder())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(segment)))
                .isEqualTo("rw-------");
        var note = trail.records().get(2);
        assertThat(note.text("kind")).hasValue("rights-tightened");
        assertThat(String.valueOf(note.data().get("details")))
                .contains("count=2", ".=rwxr-xr-x, 00000000000000000001.jsonl=rw-r--r--");
        assertThat(trail.verify().holds()).isTrue();
    }

    @Test
    void noteOfReadableFilesNamesTheFirstAndCountsAll() throws Exception {
        trail.open().close();
        for (int i = 1; i <= 12; i++) {
            var file = Files.writeString(trail.folder().resolve("00-%02d.txt".formatted(i)), "");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }

        trail.open().close();

        var note = trail.records().stream()
                .filter(record ->
                        record.text("kind").filter("rights-tightened"::equals).isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(String.valueOf(note.data().get("details")))
                .contains("count=12", "00-01.txt=rw-r--r--, 00-02.txt", "00-05.txt=rw-r--r--")
                .doesNotContain("00-06");
    }

    private void writeKey(String text, String rights) throws IOException {
        Files.writeString(folder.resolve("trail.key"), text);
        setRights("trail.key", rights);
    }

    private void setRights(String name, String rights) throws IOException {
        Files.setPosixFilePermissions(folder.resolve(name), PosixFilePermissions.fromString(rights));
    }

    @Test
    void secondWriterIsRejected() {
        var sink = trail.open();

        try (sink) {
            assertRefused(
                    "is being written by process " + ProcessHandle.current().pid());
        }
    }

    private void makeFolder() throws IOException {
        Files.createDirectory(
                trail.folder(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private void assertRefused(String why) {
        assertThatThrownBy(() -> trail.open().close())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(why);
    }
}
