package io.mcpbridge.config;

import io.mcpbridge.spi.Settings;
import io.mcpbridge.tool.ToolHints;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the operator says of one tool of a server; the operator's word goes before everybody else's. Immutable. */
public final class ToolSettings {
    private final @Nullable Boolean readOnly;
    private final @Nullable Boolean destructive;
    private final @Nullable Boolean idempotent;
    private final @Nullable Boolean openWorld;

    private ToolSettings(Settings settings) {
        this.readOnly = flag(settings, "read-only");
        this.destructive = flag(settings, "destructive");
        this.idempotent = flag(settings, "idempotent");
        this.openWorld = flag(settings, "open-world");
    }

    /** Reads the {@code tools} of a server's section, by the name that they have there; mistakes are noted. */
    static Map<String, ToolSettings> from(Settings settings, Mistakes mistakes) {
        var tools = new LinkedHashMap<String, ToolSettings>();
        if (!settings.isSection("tools")) {
            // Some desktop clients have a list of names there.
            return tools;
        }
        settings.sections("tools")
                .forEach((name, section) -> mistakes.collect(() -> {
                            var tool = new ToolSettings(section);
                            return section.finish(() -> tool);
                        })
                        .ifPresent(tool -> tools.put(name, tool)));
        return Collections.unmodifiableMap(tools);
    }

    /** What holds of the tool: what is said here, and for the rest what may be relied on of {@code said}. */
    public ToolHints over(ToolHints said) {
        if (readOnly == null && destructive == null && idempotent == null && openWorld == null) {
            return said;
        }
        var believed = said.believed();
        return new ToolHints(
                either(readOnly, believed.readOnly()),
                either(destructive, believed.destructive()),
                either(idempotent, believed.idempotent()),
                either(openWorld, believed.openWorld()),
                ToolHints.Source.TRUSTED);
    }

    private static @Nullable Boolean flag(Settings settings, String key) {
        var flag = settings.flag(key, false);
        return settings.has(key) ? (Boolean) flag : null;
    }

    private static boolean either(@Nullable Boolean said, boolean otherwise) {
        return said == null ? otherwise : said;
    }
}
