package io.mcpbridge.engine.translation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SealTest {
    private final Seal seal = new Seal();

    @Test
    void sealedTextOpensForTheSamePurposeAndBinding() {
        var sealed = seal.seal("cursor", "alice", "page ✓ 2");

        assertThat(seal.open("cursor", "alice", sealed)).contains("page ✓ 2");
        assertThat(Seal.isSealed(sealed)).isTrue();
    }

    @Test
    void sealedTextDoesNotOpenForAnotherUserPurposeOrKey() {
        var sealed = seal.seal("cursor", "alice", "page 2");

        assertThat(seal.open("cursor", "bob", sealed)).isEmpty();
        assertThat(seal.open("state", "alice", sealed)).isEmpty();
        assertThat(new Seal().open("cursor", "alice", sealed)).isEmpty();
    }

    @Test
    void everyChangedCharacterIsDetected() {
        var sealed = seal.seal("cursor", "alice", "page 2");

        for (int at = 0; at < sealed.length(); at++) {
            var changed = new StringBuilder(sealed);
            changed.setCharAt(at, sealed.charAt(at) == 'A' ? 'B' : 'A');
            assertThat(seal.open("cursor", "alice", changed.toString()))
                    .as("changed at %d", at)
                    .isEmpty();
        }
        assertThat(seal.open("cursor", "alice", sealed + "A")).isEmpty();
        assertThat(seal.open("cursor", "alice", Seal.PREFIX)).isEmpty();
        assertThat(seal.open("cursor", "alice", "")).isEmpty();
    }

    @Test
    void sameTextIsSealedDifferentlyEachTime() {
        assertThat(seal.seal("cursor", "alice", "page 2")).isNotEqualTo(seal.seal("cursor", "alice", "page 2"));
    }
}
