package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the keys of a server's section that have rules of their own; mistakes are noted there. */
final class ServerKeys {
    /** Transports that start nothing. */
    private static final Set<String> REMOTE = Set.of("http", "unix");

    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):?(?://)?");

    private ServerKeys() {}

    /** Some desktop clients write {@code disabled}; starting what a user has turned off there would be wrong. */
    static boolean isEnabled(Settings settings) {
        var disabled = settings.flag("disabled", false);
        return settings.flag("enabled", !disabled);
    }

    static Duration timeout(Settings settings, Duration otherwise) {
        var timeout = settings.duration("timeout", "timeoutMs", otherwise);
        if (timeout.compareTo(Duration.ZERO) > 0) {
            return timeout;
        }
        settings.reject(settings.either("timeout", "timeoutMs"), "longer than zero");
        return otherwise;
    }

    static NameFilter toolFilter(Settings settings, Mistakes mistakes) {
        if (!settings.isSection("tools")) {
            return NameFilter.ALL;
        }
        var section = settings.section("tools").allowUnknownKeys();
        var filter = NameFilter.from(section);
        return mistakes.collect(() -> section.finish(() -> filter)).orElse(NameFilter.ALL);
    }

    static Duration probeTimeout(Settings settings) {
        var timeout = settings.duration("probe-timeout", ServerSettings.DEFAULT_PROBE_TIMEOUT);
        if (timeout.compareTo(Duration.ZERO) > 0) {
            return timeout;
        }
        settings.reject("probe-timeout", "longer than zero");
        return ServerSettings.DEFAULT_PROBE_TIMEOUT;
    }

    static int sessions(Settings settings) {
        var sessions = settings.integer("sessions", ServerSettings.DEFAULT_SESSIONS);
        if (sessions >= 1 && sessions <= ServerSettings.MAX_SESSIONS) {
            return sessions;
        }
        settings.reject("sessions", "from 1 to " + ServerSettings.MAX_SESSIONS);
        return ServerSettings.DEFAULT_SESSIONS;
    }

    static Optional<URI> healthCheckUrl(Settings settings) {
        var key = settings.either("health-check-url", "healthCheckUrl");
        var text = settings.text(key);
        var uri = text.flatMap(Endpoints::parseHttp);
        if (text.isPresent() && uri.isEmpty()) {
            settings.reject(key, "an http or https URL");
        }
        return uri;
    }

    static Set<String> schemes(Settings settings) {
        var schemes = new LinkedHashSet<String>();
        for (var text : settings.texts("schemes")) {
            var scheme = SCHEME.matcher(text);
            if (scheme.matches()) {
                schemes.add(scheme.group(1).toLowerCase(Locale.ROOT));
            } else {
                settings.reject("schemes", "URI schemes such as 'file:', and '%s' is none".formatted(text));
            }
        }
        return Collections.unmodifiableSet(schemes);
    }

    static boolean isEager(Settings settings) {
        var start = settings.text("start", "lazy");
        if (!Set.of("lazy", "eager").contains(start)) {
            settings.reject("start", "'lazy' or 'eager'");
        }
        return start.equals("eager");
    }

    /** What holds a child would pass unnoticed where none is started. */
    static void requireChild(Settings settings, String type) {
        if (REMOTE.contains(type) && settings.has("sandbox")) {
            settings.reject("sandbox", "left out where the server is no process of ours, which 'command' would start");
        }
    }
}
