package io.mcpbridge.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Tells whether a program was built for another kind of machine. The system would refuse it, but the JDK then hands
 * the file to a shell, which would carry out whatever it takes its bytes for.
 */
final class ForeignProgram {
    private static final Path OURSELVES = Path.of("/proc/self/exe");
    private static final Path INTERPRETERS = Path.of("/proc/sys/fs/binfmt_misc");

    /** The files there that are not interpreters themselves. */
    private static final Set<String> NO_INTERPRETER = Set.of("register", "status");

    private static final int HEADER = 20;
    private static final int MAGIC = 0x7F454C46;
    private static final int ORDER_AT = 5;
    private static final int MACHINE_AT = 18;

    /** Machines of 32 bits whose programs run on one of 64 bits: 386, ARM and SPARC. */
    private static final Set<Integer> OLDER = Set.of(3, 40, 2, 18);

    private ForeignProgram() {}

    /** Why this file cannot run here; empty if it can, or if that cannot be told. */
    static Optional<String> reason(Path file) {
        var ours = machine(OURSELVES);
        var its = machine(file);
        if (ours.isEmpty() || its.isEmpty() || its.equals(ours) || OLDER.contains(its.get()) || hasInterpreters()) {
            return Optional.empty();
        }
        return Optional.of("it is a program for another kind of machine (ELF machine %d, here it is %d)"
                .formatted(its.get(), ours.get()));
    }

    /** The machine of an ELF file. */
    private static Optional<Integer> machine(Path file) {
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

    /** Whether the system may know who runs programs of other machines. */
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
