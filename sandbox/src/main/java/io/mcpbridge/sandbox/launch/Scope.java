package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A control group for the child and all that it starts, by {@code systemd-run}: the system bounds their memory and their
 * number. It becomes the words that come after it.
 */
final class Scope implements Means {
    private final ControlGroups groups;
    private final Tools tools;
    private final Means inner;
    private final boolean isRoot;
    private final Map<String, String> own;

    /** @param own variables of ours, of which some say where the manager is that makes groups for us */
    Scope(ControlGroups groups, Tools tools, Means inner, boolean isRoot, Map<String, String> own) {
        this.groups = groups;
        this.own = own;
        this.tools = tools;
        this.inner = inner;
        this.isRoot = isRoot;
    }

    @Override
    public String name() {
        return "systemd-run";
    }

    @Override
    public Optional<String> missing() {
        return groups.missing()
                .or(() -> tools.missing("systemd", "systemd-run"))
                .or(() -> tools.missing("util-linux", "setpriv"));
    }

    @Override
    public Command wrap(Command command) {
        var limits = command.limits();
        // Before anything else, so that it dies with us while it still asks for its group.
        var words = new ArrayList<>(List.of(tools.path("setpriv"), "--pdeathsig", "KILL", "--"));
        words.add(tools.path("systemd-run"));
        if (!isRoot) {
            words.add("--user");
        }
        words.addAll(List.of("--scope", "--quiet", "--collect"));
        if (limits.memoryBytes() > 0) {
            words.addAll(List.of("-p", "MemoryMax=" + limits.memoryBytes(), "-p", "MemorySwapMax=0"));
        }
        var held = inner.wrap(command);
        if (limits.processes() > 0) {
            var guards = held.wrapper().stays() ? HeldChild.GUARDS : 0;
            words.addAll(List.of("-p", "TasksMax=" + (limits.processes() + guards)));
        }
        words.add("--");
        var late = LateVariables.of(command);
        if (!isRoot) {
            var manager = new ManagerVariables(own);
            words.addAll(manager.takenBack(tools, late));
            late = manager.givenTo(late);
        }
        words.addAll(held.wrapper().words());
        return held.wrapper().stays() ? late.guardedBy(words) : late.through(words);
    }
}
