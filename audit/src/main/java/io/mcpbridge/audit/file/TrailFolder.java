package io.mcpbridge.audit.file;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.PrivateFolder;
import io.mcpbridge.files.ProcessLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The folder of a trail, which is ours alone, as are the files in it. For one thread at a time. */
final class TrailFolder {
    private static final String LOCK = "lock";

    private final Path path;
    private final OwnUser own;

    private TrailFolder(Path path, OwnUser own) {
        this.path = path;
        this.own = own;
    }

    /**
     * Checks the folder, or where it would be made.
     *
     * @throws ConfigurationException if it is not safe; the message says why, and what would be
     * @throws IOException if it cannot be looked at
     */
    static void check(Path path) throws IOException {
        new TrailFolder(path, OwnUser.ofThisProcess()).folder().check();
    }

    /**
     * Makes the folder where it is missing, with its missing parents, and checks it.
     *
     * @throws ConfigurationException if it is not safe; the message says why, and what would be
     * @throws IOException if it cannot be made or looked at
     */
    static TrailFolder prepare(Path path) throws IOException {
        var folder = new TrailFolder(path, OwnUser.ofThisProcess());
        folder.folder().prepare();
        return folder;
    }

    private PrivateFolder folder() {
        return PrivateFolder.of(path, "the folder of the audit trail", own);
    }

    OwnUser own() {
        return own;
    }

    /**
     * Claims the folder for this process.
     *
     * @throws ConfigurationException if another writer has it
     */
    ProcessLock claim() throws IOException {
        return ProcessLock.take(path.resolve(LOCK), "the lock of the audit trail", own, this::taken);
    }

    private ConfigurationException taken(String pid) {
        return ConfigurationException.of(
                "the audit trail in '%s' is being written by process %s; stop it, or choose another 'path'"
                        .formatted(path, pid));
    }

    /**
     * Checks the files, and takes the right to read them from others: nobody else could have written there, so what they
     * hold is still ours, but others could have read it. Returns that in words by the names of the files.
     *
     * @throws ConfigurationException if something lies there that others may write to, or that is no file of ours
     */
    Map<String, String> tighten() throws IOException {
        var tightened = new TreeMap<String, String>();
        folder().tighten().ifPresent(rights -> tightened.put(".", rights));
        try (var files = Files.list(path)) {
            for (var file : files.toList()) {
                tighten(file).ifPresent(rights -> tightened.put(String.valueOf(file.getFileName()), rights));
            }
        }
        return tightened;
    }

    private Optional<String> tighten(Path file) throws IOException {
        return PrivateFile.check(file, "a file of the audit trail", own).tighten();
    }
}
