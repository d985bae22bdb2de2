package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** L3 by bubblewrap, and L2 where nothing else does it: process numbers of their own, and where limits say so no network and only named files. */
final class Bubblewrap implements Means {
    private final Tools tools;
    private final boolean isRoot;
    private final boolean isFirm;

    private Bubblewrap(Tools tools, boolean isRoot, boolean isFirm) {
        this.tools = tools;
        this.isRoot = isRoot;
        this.isFirm = isFirm;
    }

    /** For L2: the child may do what it may without it. */
    static Bubblewrap loose(Tools tools, boolean isRoot) {
        return new Bubblewrap(tools, isRoot, false);
    }

    /** For L3: the child has no rights beyond those of its user, and no terminal. */
    static Bubblewrap firm(Tools tools, boolean isRoot) {
        return new Bubblewrap(tools, isRoot, true);
    }

    @Override
    public String name() {
        return "bwrap";
    }

    @Override
    public Optional<String> missing() {
        return tools.missing("bubblewrap", "bwrap").or(() -> tools.missing("util-linux", "setpriv", "prlimit", "sh"));
    }

    @Override
    public Command wrap(Command command) {
        var limits = command.limits();
        // Without 'no new rights', which a set-user-id bwrap needs to begin with.
        var words = new ArrayList<>(List.of(tools.path("setpriv"), "--pdeathsig", "KILL", "--"));
        words.addAll(Lifeline.outside(tools));
        // As the first process itself, the shell within has asked for its signal before it looks.
        words.addAll(List.of(tools.path("bwrap"), "--die-with-parent", "--unshare-pid", "--as-pid-1"));
        if (!isRoot) {
            // A set-user-id bwrap would do without, and all processes of the user would count.
            words.add("--unshare-user");
        }
        if (isFirm) {
            words.addAll(List.of("--new-session", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"));
        }
        if (!limits.allowsNetwork()) {
            words.add("--unshare-net");
        }
        words.addAll(files(command, limits));
        words.add("--");
        words.addAll(Lifeline.inside(tools));
        words.addAll(Kernel.limitWords(tools, limits, isRoot));
        words.addAll(LateVariables.words(tools, command));
        return LateVariables.of(command).guardedBy(words);
    }

    private List<String> files(Command command, Limits limits) {
        if (limits.hidesFiles()) {
            return VisibleFiles.words(command, tools);
        }
        var words = new ArrayList<>(List.of("--dev-bind", "/", "/"));
        if (isFirm) {
            words.addAll(VisibleFiles.process());
            words.addAll(VisibleFiles.apart(limits));
        } else {
            words.addAll(List.of("--proc", "/proc"));
        }
        return words;
    }
}
