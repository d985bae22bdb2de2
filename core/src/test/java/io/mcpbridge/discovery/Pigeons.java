package io.mcpbridge.discovery;

/** Providers, good and bad, that tests put into services files. */
public final class Pigeons {

    private Pigeons() {}

    /** A good one. */
    public static final class White implements PigeonProvider {
        @Override
        public String name() {
            return "white";
        }
    }

    /** Another good one. */
    public static final class Grey implements PigeonProvider {
        @Override
        public String name() {
            return "grey";
        }
    }

    /** Has the name of {@link White}. */
    public static final class OtherWhite implements PigeonProvider {
        @Override
        public String name() {
            return "white";
        }
    }

    /** Cannot be made. */
    public static final class Broken implements PigeonProvider {
        public Broken() {
            throw new IllegalStateException("broken wing");
        }

        @Override
        public String name() {
            return "broken";
        }
    }

    /** Needs a class that is not there. */
    public static final class Unlinked implements PigeonProvider {
        public Unlinked() {
            throw new NoClassDefFoundError("org/example/Feather");
        }

        @Override
        public String name() {
            return "unlinked";
        }
    }

    /** Cannot tell its name. */
    public static final class Nameless implements PigeonProvider {
        @Override
        public String name() {
            throw new IllegalStateException("forgot it");
        }
    }

    /** Has a name that no configuration can write. */
    public static final class Shouting implements PigeonProvider {
        @Override
        public String name() {
            return "WHITE!";
        }
    }

    /** Was built for another version of the extension points. */
    public static final class Old implements PigeonProvider {
        @Override
        public String name() {
            return "old";
        }

        @Override
        public int spiVersion() {
            return SPI_VERSION + 1;
        }
    }

    /** Is listed but is no provider. */
    public static final class Hawk {}
}
