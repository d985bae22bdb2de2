package io.mcpbridge.message;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Makes valid messages with odd numbers, escapes, spaces, unknown members and shuffled keys. */
final class RandomMessages {

    private static final List<String> NUMBERS =
            List.of("0", "-0", "1e400", "-1.50E+007", "0.1e-9", "123456789012345678901234567890", "5.0", "17");
    private static final List<String> STRINGS = List.of(
            "\"\"",
            "\"plain\"",
            "\"\\u0041\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
            "\"\u20ac \ud83d\ude00\"",
            "\"\\ud83d\\ude00\"",
            "\"\\ud800\"",
            "\"}],{[\"",
            "\"a rather long text that takes more than one step to pass\"",
            "\"\\\\\"",
            "\"\\\\\\\"\"");
    private static final List<String> SPACES = List.of("", "", "", "", " ", "  ", "\t", "\n", "\r\n");

    private final Random random;

    RandomMessages(long seed) {
        this.random = new Random(seed);
    }

    /** One of a few. */
    <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    int number(int bound) {
        return random.nextInt(bound);
    }

    String message() {
        List<String> members = new ArrayList<>(List.of("\"jsonrpc\":\"2.0\""));
        switch (random.nextInt(5)) {
            case 0 -> members.addAll(List.of("\"id\":" + id(), "\"result\":" + result()));
            case 1 -> members.addAll(List.of("\"id\":" + id(), "\"error\":" + error()));
            case 2 -> members.addAll(List.of("\"method\":\"notifications/progress\"", params()));
            case 3 -> members.addAll(List.of("\"id\":" + id(), "\"method\":\"tools/call\""));
            default ->
                members.addAll(List.of("\"\\u0069d\":" + id(), "\"method\":" + any(STRINGS.subList(0, 5)), params()));
        }
        return object(members);
    }

    /** Any JSON value. */
    String value(int depth) {
        int kind = random.nextInt(depth > 0 ? 6 : 4);
        return switch (kind) {
            case 0 -> any(NUMBERS);
            case 1, 2 -> any(STRINGS);
            case 3 -> any(List.of("true", "false", "null", "{}", "[]"));
            case 4 -> "[" + space() + value(depth - 1) + space() + "," + value(depth - 1) + "]";
            default -> "{\"a\"" + space() + ":" + value(depth - 1) + "," + space() + "\"a\":" + value(depth - 1) + "}";
        };
    }

    private String id() {
        return any(List.of("1", "-5", "\"one\"", "\"\\u006fne\"", "\"\"", "12345678901234567890"));
    }

    private String params() {
        if (random.nextInt(8) == 0) {
            return "\"params\":[" + value(1) + "]";
        }
        var keys = List.of(
                "name",
                "arg\\u0075ments",
                "cursor",
                "progressToken",
                "taskId",
                "requestState",
                "x",
                "\\\"",
                "\\\\\\\"");
        List<String> members = some(keys);
        addMeta(members);
        return "\"params\"" + space() + ":" + space() + object(members);
    }

    private String result() {
        if (random.nextInt(8) == 0) {
            return any(STRINGS);
        }
        List<String> members =
                some(List.of("content", "isErr\\u006fr", "nextCursor", "requestState", "ttlMs", "x", "y"));
        addMeta(members);
        return object(members);
    }

    private String error() {
        List<String> members = some(List.of("message", "data", "more"));
        members.add("\"code\":-32000");
        return object(members);
    }

    private void addMeta(List<String> members) {
        if (random.nextInt(3) > 0) {
            var keys = List.of(
                    "progressToken", "io.modelcontextprotocol/protocolVersion", "traceparent", "vendor/x", "\\u0001");
            members.add("\"_meta\":" + object(some(keys)));
        }
    }

    private List<String> some(List<String> keys) {
        List<String> members = new ArrayList<>();
        for (String key : keys) {
            if (random.nextInt(3) == 0) {
                members.add("\"" + key + "\"" + space() + ":" + space() + value(2));
            }
        }
        return members;
    }

    private String object(List<String> members) {
        List<String> shuffled = new ArrayList<>(members);
        Collections.shuffle(shuffled, random);
        var json = new StringBuilder(space()).append('{').append(space());
        for (int i = 0; i < shuffled.size(); i++) {
            json.append(i == 0 ? "" : "," + space()).append(shuffled.get(i)).append(space());
        }
        return json.append('}').append(space()).toString();
    }

    private String space() {
        return any(SPACES);
    }
}
