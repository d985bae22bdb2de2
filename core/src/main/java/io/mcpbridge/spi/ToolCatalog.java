package io.mcpbridge.spi;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stores the tools of each server. Any thread may use it; reading never blocks.
 *
 * <p>A server with one session per user has one list per user, under {@code server@proof:user}. A server may show other
 * tools to clients with other capabilities; those lists are under {@code server#2} and so on.
 */
public interface ToolCatalog extends AutoCloseable {

    /** The current content, as an immutable snapshot. */
    Snapshot snapshot();

    /** Replaces the list of {@code server} and returns the difference. */
    Change update(String server, List<ToolDefinition> listed);

    /** Removes {@code server}. */
    Change remove(String server);

    /**
     * Whether clients may call only the tools of the current snapshot. If false, they may also call tools that the
     * server listed in an earlier session.
     */
    default boolean isStrict() {
        return false;
    }

    /** The findings about the tools that are listed now, in the order of servers and names. */
    default List<ToolFinding> findings() {
        return List.of();
    }

    /** Registers {@code listener} for later findings, at the time of their discovery; the listener must not block. */
    default void onFindings(Consumer<List<ToolFinding>> listener) {}

    /**
     * Approves the latest lists of all servers, and stores the approvals.
     *
     * @throws ConfigurationException if this kind of catalog keeps no approvals, or cannot
     */
    default void approve() {
        throw ConfigurationException.of(
                "the catalog keeps no approvals; name a file for them in 'bridge.catalog', such as \"lock\":"
                        + " \"mcp.lock\"");
    }

    /**
     * Reloads the data that is stored outside of the process, such as approvals.
     *
     * @return whether the snapshot differs from before
     * @throws ConfigurationException if the data cannot be read; then nothing has changed
     */
    default boolean reload() {
        return false;
    }

    @Override
    void close();

    /**
     * The tools at one moment.
     *
     * @param version grows with each change
     * @param tools by server, each list in the order of its names
     */
    record Snapshot(long version, Map<String, List<ToolDefinition>> tools) {

        /** The definition of one tool. */
        public Optional<ToolDefinition> find(String server, String tool) {
            var listed = tools.getOrDefault(server, List.of());
            int low = 0;
            int high = listed.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                var order = listed.get(middle).name().compareTo(tool);
                if (order == 0) {
                    return Optional.of(listed.get(middle));
                }
                low = order < 0 ? middle + 1 : low;
                high = order > 0 ? middle - 1 : high;
            }
            return Optional.empty();
        }
    }

    /**
     * The difference that an update made.
     *
     * @param added the new names
     * @param removed the removed names
     * @param changed the names with changed definitions
     * @param unchanged the number of unchanged tools
     */
    record Change(List<String> added, List<String> removed, List<String> changed, int unchanged) {

        public boolean isEmpty() {
            return added.isEmpty() && removed.isEmpty() && changed.isEmpty();
        }
    }

    /**
     * A finding about a tool of a server that an operator should review.
     *
     * @param server its name in the configuration
     * @param tool its name at the server
     * @param kind the kind of the finding
     * @param reason the reason as text; quotations of the definition are escaped
     * @param details the differences, one per line; may be empty
     * @param isWithheld whether the catalog hides the tool from clients and rejects its calls
     */
    record ToolFinding(String server, String tool, Kind kind, String reason, List<String> details, boolean isWithheld) {

        /** The kind of a finding. */
        public enum Kind {
            /** The tool is not approved. */
            NEW,
            /** The definition differs from the approved one. */
            CHANGED,
            /** The tool was approved, and its server no longer lists it. */
            GONE,
            /** The definition has text that is invisible to people, or cannot be compared. */
            SUSPICIOUS;

            /** The name in lower case. */
            public String text() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        public ToolFinding {
            details = List.copyOf(details);
        }

        /** Whether the finding is about this tool. */
        public boolean isOf(String otherServer, String otherTool) {
            return server.equals(otherServer) && tool.equals(otherTool);
        }

        /** The tool's name for people, with invisible characters escaped. */
        public String shownTool() {
            return VisibleText.of(tool);
        }
    }
}
