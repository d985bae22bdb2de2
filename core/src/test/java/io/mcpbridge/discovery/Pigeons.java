package io.mcpbridge.discovery;

/** Providers, good and bad, that tests put into services files. */
public final class Pigeons {

    private Pigeons() {}

    /** A good one. */
    public static final class White implements PigeonProvider {
        @Override
        public Id id() {
            return new Id("white", SPI_VERSION);
        }
    }

    /** Another good one. */
    public static final class Grey implements PigeonProvider {
        @Override
        public Id id() {
            return new Id("grey", SPI_VERSION);
        }
    }

    /** Has the name of {@link White}. */
    public static final class OtherWhite implements PigeonProvider {
        @Override
        public Id id() {
            return new Id("white", SPI_VERSION);
        }
    }

    /** Cannot be made. */
    public static final class Broken implements PigeonProvider {
        public Broken() {
            throw new IllegalStateException("broken wing");
        }

        @Override
        public Id id() {
            return new Id("broken", SPI_VERSION);
        }
    }

    /** Needs a class that is not there. */
    public static final class Unlinked implements PigeonProvider {
        public Unlinked() {
            throw new NoClassDefFoundError("org/example/Feather");
        }

        @Override
        public Id id() {
            return new Id("unlinked", SPI_VERSION);
        }
    }

    /** Throws when it is asked for its name. */
    public static final class Nameless implements PigeonProvider {
        @Override
        public Id id() {
            throw new IllegalStateException("forgot it");
        }
    }

    /** Has a name that no configuration can write. */
    public static final class Shouting implements PigeonProvider {
        @Override
        public Id id() {
            return new Id("WHITE!", SPI_VERSION);
        }
    }

    /** Was built for another version of the extension points. */
    public static final class Old implements PigeonProvider {
        @Override
        public Id id() {
            return new Id("old", SPI_VERSION + 1);
        }
    }

    /** Is listed but is no provider. */
    public static final class Hawk {}
}
