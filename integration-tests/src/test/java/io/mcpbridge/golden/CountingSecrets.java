package io.mcpbridge.golden;

import java.nio.ByteBuffer;
import java.security.InvalidAlgorithmParameterException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Secrets that are known: each {@link SecureRandom} that the bridge makes counts its draws from 1, and each AES key is the
 * same. Sessions' names, seals and keys come from there, which nothing but the Java runtime can hand in.
 *
 * <p>Other users of {@link SecureRandom} in this process get real randomness.
 */
final class CountingSecrets extends Provider {
    private static final long serialVersionUID = 1L;
    private static final String NAME = "CountingSecrets";
    private static final SecureRandom REAL = new SecureRandom();

    private CountingSecrets() {
        super(NAME, "1", "secrets that a test can write down");
    }

    static CountingSecrets install() {
        var secrets = new CountingSecrets();
        secrets.putService(new Made(secrets, "SecureRandom", NAME));
        secrets.putService(new Made(secrets, "KeyGenerator", "AES"));
        Security.insertProviderAt(secrets, 1);
        return secrets;
    }

    void uninstall() {
        Security.removeProvider(NAME);
    }

    private static final class Made extends Service {
        Made(Provider provider, String type, String algorithm) {
            super(provider, type, algorithm, Made.class.getName(), null, null);
        }

        @Override
        public Object newInstance(Object parameter) {
            if (getType().equals("KeyGenerator")) {
                return new OneKey();
            }
            return isOfTheBridge() ? new Count() : new Real();
        }

        /** Whether the class that requested it from the Java runtime belongs to the bridge. */
        private static boolean isOfTheBridge() {
            return StackWalker.getInstance()
                    .walk(frames -> frames.map(StackWalker.StackFrame::getClassName)
                            .filter(name -> !name.startsWith("java.security.")
                                    && !name.startsWith("sun.security.")
                                    && !name.startsWith(CountingSecrets.class.getName()))
                            .findFirst()
                            .filter(name -> name.startsWith("io.mcpbridge."))
                            .isPresent());
        }
    }

    private static final class Count extends SecureRandomSpi {
        private static final long serialVersionUID = 1L;
        private final AtomicLong draws = new AtomicLong();

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
            var count = ByteBuffer.allocate(Long.BYTES).putLong(draws.incrementAndGet());
            var length = Math.min(bytes.length, Long.BYTES);
            System.arraycopy(count.array(), Long.BYTES - length, bytes, bytes.length - length, length);
        }

        @Override
        protected byte[] engineGenerateSeed(int length) {
            return new byte[length];
        }
    }

    private static final class Real extends SecureRandomSpi {
        private static final long serialVersionUID = 1L;

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            REAL.nextBytes(bytes);
        }

        @Override
        protected byte[] engineGenerateSeed(int length) {
            return REAL.generateSeed(length);
        }
    }

    private static final class OneKey extends KeyGeneratorSpi {
        private int bits = 256;

        @Override
        protected void engineInit(SecureRandom random) {}

        @Override
        protected void engineInit(AlgorithmParameterSpec params, SecureRandom random)
                throws InvalidAlgorithmParameterException {
            throw new InvalidAlgorithmParameterException("an AES key has a size and no parameters");
        }

        @Override
        protected void engineInit(int size, SecureRandom random) {
            bits = size;
        }

        @Override
        protected SecretKey engineGenerateKey() {
            return new SecretKeySpec(new byte[bits / Byte.SIZE], "AES");
        }
    }
}
