package io.mcpbridge.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Finds the file that a command starts, and detects why the system would refuse it. */
final class ProgramFile {
    private static final int LONGEST_INTERPRETER = 256;

    private ProgramFile() {}

    /** Why the system would not start a file, in the system's words; empty if it would, or if that is unknown. */
    static Optional<String> refusal(Path file) {
        if (!Files.exists(file)) {
            return Optional.of("No such file or directory");
        }
        if (!isExecutable(file)) {
            return Optional.of("Permission denied");
        }
        return interpreter(file).filter(runs -> !isExecutable(runs)).map(runs -> "No such file or directory");
    }

    private static boolean isExecutable(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** The interpreter of a script, as its first line names it. */
    private static Optional<Path> interpreter(Path file) {
        try (var in = Files.newInputStream(file)) {
            var head = new String(in.readNBytes(LONGEST_INTERPRETER), StandardCharsets.ISO_8859_1);
            if (!head.startsWith("#!")) {
                return Optional.empty();
            }
            var words = head.substring(2).strip().split("\\s", 2);
            return Optional.of(Path.of(words[0]));
        } catch (IOException | InvalidPathException unreadable) {
            // A program may be executable but not readable, or name an interpreter that is not a path.
            return Optional.empty();
        }
    }

    /**
     * Why a file cannot run on this machine architecture; empty if it can, or if that is unknown. The system would
     * refuse such a file, but the JDK then passes it to a shell, which would run its bytes as a script.
     */
    static Optional<String> wrongMachine(Path file) {
        return ElfMachine.mismatch(file);
    }

    /** The machine numbers of ELF files. */
    private static final class ElfMachine {
        private static final Path OURSELVES = Path.of("/proc/self/exe");
        private static final Path INTERPRETERS = Path.of("/proc/sys/fs/binfmt_misc");

        /** The files in this folder that are not interpreters. */
        private static final Set<String> NO_INTERPRETER = Set.of("register", "status");

        private static final int HEADER = 20;
        private static final int MAGIC = 0x7F454C46;
        private static final int ORDER_AT = 5;
        private static final int MACHINE_AT = 18;

        /** Machines of 32 bits whose programs run on one of 64 bits: 386, ARM and SPARC. */
        private static final Set<Integer> OLDER = Set.of(3, 40, 2, 18);

        private static Optional<String> mismatch(Path file) {
            var ours = of(OURSELVES);
            var its = of(file);
            if (ours.isEmpty() || its.isEmpty() || its.equals(ours) || OLDER.contains(its.get()) || hasInterpreters()) {
                return Optional.empty();
            }
            return Optional.of("it is a program for another kind of machine (ELF machine %d, here it is %d)"
                    .formatted(its.get(), ours.get()));
        }

        private static Optional<Integer> of(Path file) {
            try (var in = Files.newInputStream(file)) {
                var header = ByteBuffer.wrap(in.readNBytes(HEADER));
                if (header.limit() < HEADER || header.getInt(0) != MAGIC) {
                    return Optional.empty();
                }
                var order = header.get(ORDER_AT) == 2 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
                return Optional.of(Short.toUnsignedInt(header.order(order).getShort(MACHINE_AT)));
            } catch (IOException unreadable) {
                return Optional.empty();
            }
        }

        /** Whether the system may have interpreters for programs of other machines. */
        private static boolean hasInterpreters() {
            try (DirectoryStream<Path> known = Files.newDirectoryStream(INTERPRETERS)) {
                for (var each : known) {
                    if (!NO_INTERPRETER.contains(String.valueOf(each.getFileName()))) {
                        return true;
                    }
                }
                return false;
            } catch (IOException none) {
                return false;
            }
        }
    }
}
