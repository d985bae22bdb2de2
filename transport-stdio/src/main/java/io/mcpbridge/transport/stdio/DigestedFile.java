package io.mcpbridge.transport.stdio;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * A file that was read, and which one it was.
 *
 * @param sha256 in lower-case hexadecimal digits
 * @param key device and number of the file; empty where the system cannot hold on to a folder
 */
record DigestedFile(String sha256, Optional<Object> key) {

    /**
     * Reads the file that a path leads to. Where its folder can be held, looking at the file and reading it go through
     * that one folder: renaming folders above, which no file shows, cannot bring another file in between.
     */
    static DigestedFile read(Path file) throws IOException {
        var real = file.toRealPath();
        try (var folder = Files.newDirectoryStream(real.getParent())) {
            if (folder instanceof SecureDirectoryStream<Path> held) {
                return in(held, real.getFileName());
            }
        }
        try (var channel = Files.newByteChannel(real)) {
            return new DigestedFile(digest(channel), Optional.empty());
        }
    }

    private static DigestedFile in(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        var key = folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes()
                .fileKey();
        try (var channel = folder.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            return new DigestedFile(digest(channel), Optional.ofNullable(key));
        }
    }

    private static String digest(SeekableByteChannel channel) throws IOException {
        try (var digesting =
                new DigestOutputStream(OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
            var unused = Channels.newInputStream(channel).transferTo(digesting);
            return HexFormat.of().formatHex(digesting.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
