package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.record.ChainHead;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checkpoints that are signed while records go on. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SignerTest {
    private static final ChainHead HEAD = new ChainHead(7, "ab".repeat(32));

    private final Semaphore wakes = new Semaphore(0);
    private SigningKey key;
    private Signer signer;

    @BeforeEach
    void prepare() throws Exception {
        var made = SigningKey.make();
        key = SigningKey.parse(made.pem(), List.of(made.publicHalf()));
        signer = new Signer(key, wakes::release);
    }

    @AfterEach
    void end() {
        signer.close();
    }

    @Test
    void nothingIsThereBeforeSomethingWasBegun() {
        assertThat(signer.isBusy()).isFalse();
        assertThat(signer.take(true)).isEmpty();
    }

    @Test
    void whatIsSignedWakesTheWriterAndIsTakenOnce() throws Exception {
        signer.begin(HEAD, Optional.empty());
        assertThat(signer.isBusy()).isTrue();
        wakes.acquire();

        var signed = signer.take(true).orElseThrow().checkpoint();

        assertThat(key.publicHalf().vouchesFor(signed)).isTrue();
        assertThat(signed.checkpoint().size()).isEqualTo(HEAD.sequence());
        assertThat(signer.isBusy()).isFalse();
        assertThat(signer.take(true)).isEmpty();
    }

    @Test
    void whoeverCannotDoWithoutItWaitsForIt() {
        signer.begin(HEAD, Optional.empty());

        assertThat(signer.take(true)).isPresent();
    }
}
