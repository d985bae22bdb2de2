package io.mcpbridge.message;

import static io.mcpbridge.message.Scanning.scan;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random changes to random messages, with a fixed seed: a spliced message is as good as a scanned one. */
class SplicedPartsTest {

    private static final int ROUNDS = 20_000;
    private static final Set<MessageField> FREE = EnumSet.complementOf(EnumSet.of(
            MessageField.ID,
            MessageField.METHOD,
            MessageField.PARAMS,
            MessageField.META,
            MessageField.RESULT,
            MessageField.RESULT_META,
            MessageField.ERROR,
            MessageField.ERROR_CODE));
    private static final List<String> META_KEYS = List.of(
            "progressToken", "traceparent", "io.modelcontextprotocol/clientInfo", "vendor/x", "\u0001", "new \"key\"");

    private final RandomMessages random = new RandomMessages(4711);

    @Test
    void partsOfASplicedMessageMatchAFreshScan() {
        for (int i = 0; i < ROUNDS; i++) {
            var message = scan(random.message());
            var changes = new ArrayList<String>();
            var spliced = change(message, changes);

            var scanned = scan(spliced.json());

            for (MessageField part : MessageField.values()) {
                assertThat(bounds(spliced, part))
                        .as("%s of %s after %s on %s", part, spliced.json(), changes, message.json())
                        .isEqualTo(bounds(scanned, part));
            }
            assertThat(spliced).hasSameClassAs(scanned).hasToString(scanned.toString());
        }
    }

    @Test
    void untouchedPartsAreUnchanged() {
        for (int i = 0; i < ROUNDS; i++) {
            var message = scan(random.message());
            var splice = message.splice();
            if (message.has(MessageField.ID)) {
                splice.id(MessageId.of(random.number(1_000_000)));
            }
            if (message.has(MessageField.PROGRESS_TOKEN)) {
                splice.replace(MessageField.PROGRESS_TOKEN, "123456");
            }

            var spliced = splice.done();

            for (MessageField part : FREE) {
                if (part != MessageField.PROGRESS_TOKEN) {
                    assertThat(spliced.raw(part)).as(part.name()).isEqualTo(message.raw(part));
                }
            }
        }
    }

    @Test
    void replacingTwiceRestoresTheBytes() {
        for (int i = 0; i < ROUNDS; i++) {
            var message = scan(random.message());
            if (message.has(MessageField.ID)) {
                var there = message.splice().id(MessageId.of(42)).done();
                var back = there.splice()
                        .replace(MessageField.ID, message.raw(MessageField.ID).orElseThrow())
                        .done();

                assertThat(back.json()).isEqualTo(message.json());
            }
        }
    }

    private Message change(Message message, List<String> changes) {
        var splice = message.splice();
        for (MessageField part : FREE) {
            if (random.number(4) == 0) {
                changes.add("remove " + part);
                splice.remove(part);
            } else if (message.has(part) && random.number(4) == 0) {
                var value = token(part);
                changes.add("replace " + part + " " + value);
                splice.replace(part, value);
            }
        }
        if (message.has(MessageField.ID) && random.number(2) == 0) {
            splice.id(MessageId.of(random.number(1_000)));
        }
        put(message, splice, changes);
        return splice.done();
    }

    private void put(Message message, Splice splice, List<String> changes) {
        boolean hasObject = isObject(message, MessageField.PARAMS) && isObject(message, MessageField.RESULT);
        if (message.has(MessageField.ERROR) || !hasObject) {
            return;
        }
        for (String key : META_KEYS) {
            if (random.number(4) == 0) {
                var value = random.value(1);
                changes.add("putMeta " + key + " " + value);
                splice.putMeta(key, value);
            }
        }
        for (String key : List.of("requestState", "x", "other", "nextCursor", "progressToken", "cursor")) {
            if (random.number(4) == 0) {
                changes.add("put " + key);
                putAdditional(splice, message, key);
            }
        }
    }

    private static void putAdditional(Splice splice, Message message, String key) {
        if (message instanceof Response) {
            splice.putResult(key, "[ 1,\n2 ]");
        } else {
            splice.putParam(key, "[ 1,\n2 ]");
        }
    }

    private static boolean isObject(Message message, MessageField part) {
        return message.raw(part).map(raw -> raw.startsWith("{")).orElse(true);
    }

    private String token(MessageField part) {
        return part == MessageField.NAME ? "\"n\u00e4me\"" : random.value(1);
    }

    private static List<Integer> bounds(Message message, MessageField part) {
        return List.of(message.start(part), message.end(part));
    }
}
