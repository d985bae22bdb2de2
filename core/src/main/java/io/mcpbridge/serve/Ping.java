package io.mcpbridge.serve;

import java.util.LinkedHashMap;
import java.util.concurrent.TimeUnit;

/** The tool {@code server_ping}, which every server has in every mode. */
final class Ping {
    private static final ToolConfig CONFIG = ToolConfig.of("{\"type\":\"object\",\"properties\":{}}")
            .withTitle("Ping")
            .withDescription("Tells the version of this server, its mode, and for how long it has been running.")
            .asReadOnly()
            .asEssential()
            .inParallel();

    private Ping() {}

    static void register(ToolRegistry tools, Mode mode, ServerOptions options) {
        var clock = options.clock();
        var boot = options.bootTime();
        tools.add("server_ping", CONFIG, call -> {
            var answer = new LinkedHashMap<String, Object>();
            answer.put("version", Versions.read(options.versionReader()));
            answer.put("mode", mode);
            answer.put("uptime_ms", TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - boot));
            return answer;
        });
    }
}
