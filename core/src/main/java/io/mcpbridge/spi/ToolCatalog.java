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
 * Which tools each server has. Any thread may use it; reading never waits.
 *
 * <p>A server whose users have sessions of their own has a list for each, under {@code server@proof:user}. Clients who
 * can be asked other things than the first may be shown other tools, which are listed under {@code server#2} and so on.
 */
public interface ToolCatalog extends AutoCloseable {

    /** The present content, as an immutable snapshot. */
    Snapshot snapshot();

    /** Replaces what {@code server} listed and says what changed. */
    Change update(String server, List<ToolDefinition> listed);

    /** Forgets {@code server}. */
    Change remove(String server);

    /**
     * Whether only tools of the present snapshot may be called. Otherwise a tool may also be called that its server listed in
     * an earlier session.
     */
    default boolean isStrict() {
        return false;
    }

    /** The findings about the tools that are listed now, in the order of servers and names. */
    default List<ToolFinding> findings() {
        return List.of();
    }

    /** Has {@code listener} hear of what is found from now on, when it comes up; it must not wait. */
    default void onFindings(Consumer<List<ToolFinding>> listener) {}

    /**
     * Takes what servers listed last as approved, and keeps that.
     *
     * @throws ConfigurationException if this kind of catalog keeps no approvals, or cannot
     */
    default void approve() {
        throw ConfigurationException.of(
                "the catalog keeps no approvals; name a file for them in 'bridge.catalog', such as \"lock\":"
                        + " \"mcp.lock\"");
    }

    /**
     * Reads again what is kept outside of the process, such as approvals.
     *
     * @return whether the snapshot differs from before
     * @throws ConfigurationException if that cannot be read; nothing has changed then
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
     * What an update changed.
     *
     * @param added names that are new
     * @param removed names that are gone
     * @param changed names whose definition differs
     * @param unchanged how many are as before
     */
    record Change(List<String> added, List<String> removed, List<String> changed, int unchanged) {

        public boolean isEmpty() {
            return added.isEmpty() && removed.isEmpty() && changed.isEmpty();
        }
    }

    /**
     * Something that an operator should know of a tool that a server lists.
     *
     * @param server its name in the configuration
     * @param tool its name at the server
     * @param kind what was found
     * @param reason in words, which quote nothing of the definition that is not shown escaped
     * @param details what differs, a line each; may be empty
     * @param isWithheld whether clients neither see nor call the tool because of it
     */
    record ToolFinding(String server, String tool, Kind kind, String reason, List<String> details, boolean isWithheld) {

        /** The kind of a finding. */
        public enum Kind {
            /** It is not approved. */
            NEW,
            /** It is defined otherwise than it was approved. */
            CHANGED,
            /** It was approved, and its server no longer lists it. */
            GONE,
            /** Its definition hides something from the people who read it, or cannot be compared. */
            SUSPICIOUS;

            /** In lower case. */
            public String text() {
                return name().toLowerCase(Locale.ROOT);
            }
        }

        public ToolFinding {
            details = List.copyOf(details);
        }

        /** Whether it is about this tool. */
        public boolean isOf(String otherServer, String otherTool) {
            return server.equals(otherServer) && tool.equals(otherTool);
        }

        /** The tool's name for people, with invisible characters escaped. */
        public String shownTool() {
            return VisibleText.of(tool);
        }
    }
}
