package io.mcpbridge.gateway;

import io.mcpbridge.message.Response;
import java.util.regex.Pattern;

/**
 * Checks the messages that one client of a canary run receives.
 *
 * @param number the number of the client
 * @param report receives violations
 */
record CanaryCheck(int number, CanaryReport report) {
    private static final Pattern CANARY = Pattern.compile("canary-\\d+-\\d+");

    /** The bridge's errors for calls of a lost or silent server: unavailable, timed out, crashed or in doubt. */
    private static final Pattern LOST = Pattern.compile("\"code\":-3100[2345],.*\"origin\":\"mcp-bridge\"");

    String canary(int n) {
        return "canary-" + number + "-" + n;
    }

    /** Each message of a call must have the canary of that call only. */
    void expect(String line, int n) {
        expectMine(line);
        if (!line.contains(canary(n) + "\"") && !line.contains(canary(n) + "\\\"")) {
            report.violation("client %d received of its call %d without its canary: %s".formatted(number, n, line));
        }
    }

    void expectMine(String line) {
        CANARY.matcher(line)
                .results()
                .filter(found -> !found.group().startsWith("canary-" + number + "-"))
                .forEach(found -> report.violation("client %d received %s: %s".formatted(number, found.group(), line)));
    }

    /** Whether this is the bridge's error for a killed or silent server. */
    boolean isLost(Response answer) {
        if (!answer.isError() || !LOST.matcher(answer.json()).find()) {
            return false;
        }
        expectMine(answer.json());
        report.countInDoubt();
        return true;
    }
}
