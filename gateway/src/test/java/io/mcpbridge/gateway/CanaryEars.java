package io.mcpbridge.gateway;

import io.mcpbridge.message.Response;
import java.util.regex.Pattern;

/**
 * Knows what one client of a canary run may hear.
 *
 * @param number the client's
 * @param report hears of everything else
 */
record CanaryEars(int number, CanaryReport report) {
    private static final Pattern CANARY = Pattern.compile("canary-\\d+-\\d+");

    /** What the bridge says of a call whose server was lost or silent: unavailable, timed out, crashed or in doubt. */
    private static final Pattern LOST = Pattern.compile("\"code\":-3100[2345],.*\"origin\":\"mcp-bridge\"");

    String canary(int n) {
        return "canary-" + number + "-" + n;
    }

    /** Everything that belongs to a call has its canary and no other. */
    void expect(String line, int n) {
        expectMine(line);
        if (!line.contains(canary(n) + "\"") && !line.contains(canary(n) + "\\\"")) {
            report.violation("client %d heard of its call %d without its canary: %s".formatted(number, n, line));
        }
    }

    void expectMine(String line) {
        CANARY.matcher(line)
                .results()
                .filter(found -> !found.group().startsWith("canary-" + number + "-"))
                .forEach(found -> report.violation("client %d heard %s: %s".formatted(number, found.group(), line)));
    }

    /** Whether the bridge answers for a server that was killed meanwhile or says nothing. */
    boolean isLost(Response answer) {
        if (!answer.isError() || !LOST.matcher(answer.json()).find()) {
            return false;
        }
        expectMine(answer.json());
        report.doubted();
        return true;
    }
}
