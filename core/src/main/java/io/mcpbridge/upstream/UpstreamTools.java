package io.mcpbridge.upstream;

import io.mcpbridge.call.Caller;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The tools of one upstream, listed when somebody asks and again when they changed. Any thread may use it.
 *
 * <p>A shared server has one list, which the catalog keeps under its name. Where users have sessions of their own, each
 * has a list too, kept under {@code server@proof:user}, so that nobody sees what was listed for somebody else.
 */
public final class UpstreamTools {

    /** Hears once what the list is; never waits. */
    public interface Listed {

        void tools(List<ToolDefinition> tools);

        void failed(Failure why);
    }

    private final Upstream upstream;
    private final Consumer<ToolCatalog.Change> onChange;
    private final Map<String, ToolList> lists = new ConcurrentHashMap<>();

    /**
     * Makes the list of {@code upstream}, which nobody has asked for yet.
     *
     * @param onChange hears what a listing after the first one changed, if anything
     */
    public UpstreamTools(Upstream upstream, Consumer<ToolCatalog.Change> onChange) {
        this.upstream = upstream;
        this.onChange = onChange;
    }

    /** Tells {@code listed} the tools, at once if they are known, else after asking the server for {@code caller}. */
    public void list(Caller caller, Listed listed) {
        listOf(caller).list(caller, listed);
    }

    /** One tool as it is known to {@code caller}, without asking the server. */
    public Optional<ToolDefinition> find(Caller caller, String tool) {
        return listOf(caller).find(tool);
    }

    /** One tool as it is known to any caller, without asking the server. */
    public Optional<ToolDefinition> find(String tool) {
        return lists.values().stream().flatMap(list -> list.find(tool).stream()).findFirst();
    }

    /** The server's list has changed, so the next one who asks hears the new one. */
    public void invalidate() {
        lists.values().forEach(ToolList::invalidate);
    }

    /** Asks the server again, for whoever asked last; does nothing while nobody has asked yet. */
    public void relist() {
        lists.values().forEach(ToolList::relist);
    }

    /** {@code caller} was given a list without this server, so its next listing counts as a change. */
    public void oweChange(Caller caller) {
        listOf(caller).oweChange();
    }

    /** Takes the tools of a server that is gone out of the catalog. */
    public void forget() {
        lists.values().forEach(ToolList::forget);
    }

    private ToolList listOf(Caller caller) {
        var principal = SessionKey.of(caller, upstream.settings().shared()).principal();
        return lists.computeIfAbsent(principal, absent -> {
            var place = principal.isEmpty() ? upstream.name() : upstream.name() + "@" + principal;
            return new ToolList(upstream, place, onChange);
        });
    }
}
