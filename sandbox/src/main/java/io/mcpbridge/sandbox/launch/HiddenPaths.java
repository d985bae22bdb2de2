package io.mcpbridge.sandbox.launch;

import io.mcpbridge.files.DaemonSocketLocation;
import io.mcpbridge.files.UserFolders;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.ProcessLimits.KernelFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The paths that children do not see from L2 on: the usual places of the bridge, where its configuration, tokens, sockets,
 * audit trail and keys are, and those that limits name. Immutable.
 *
 * <p>They are covered in the mount namespace of the child: a folder by an empty one, a file by {@code /dev/null}.
 */
record HiddenPaths(List<Path> usual) {
    /**
     * Covers the paths before {@code --} by the tool {@code mount} and executes the words after it. Only the first process of a namespace does so,
     * since it would hide them from all processes otherwise.
     */
    private static final String COVER = "[ $$ = 1 ] || exit 99; while [ \"$1\" != -- ]; do"
            + " if [ -d \"$1\" ]; then \"$0\" -n -t tmpfs -o ro,mode=700,size=4k mcp-bridge \"$1\";"
            + " elif [ -e \"$1\" ]; then \"$0\" -n --bind /dev/null \"$1\"; fi || exit 126; shift; done; shift;"
            + " exec \"$@\"";

    /** The usual places of a bridge with these variables. */
    static HiddenPaths of(Map<String, String> variables) {
        return new HiddenPaths(Stream.of(
                        Optional.of(UserFolders.configuration(variables)),
                        Optional.of(UserFolders.state(variables)),
                        Optional.of(UserFolders.usualState(variables)),
                        UserFolders.runtime(variables),
                        Optional.ofNullable(variables.get(DaemonSocketLocation.VARIABLE))
                                .map(Path::of),
                        Optional.of(DaemonSocketLocation.SHARED))
                .flatMap(Optional::stream)
                .filter(Path::isAbsolute)
                .distinct()
                .toList());
    }

    /** These paths and others. */
    HiddenPaths and(List<Path> others) {
        return new HiddenPaths(
                Stream.concat(usual.stream(), others.stream()).distinct().toList());
    }

    /** The command with all of these paths in its limits. */
    LaunchCommand hide(LaunchCommand command) {
        var limits = command.limits();
        return command.within(limits.withHidden(existing(and(limits.hidden()).usual())));
    }

    /**
     * The targets of the paths that exist, without those in a folder that is hidden as a whole. They are resolved before
     * anything is mounted, since a link in a hidden folder leads nowhere afterwards.
     */
    private static List<Path> existing(List<Path> paths) {
        var targets = paths.stream()
                .flatMap(HiddenPaths::target)
                .filter(path -> !KernelFolders.showThrough(path))
                .distinct()
                .toList();
        return targets.stream()
                .filter(path -> targets.stream().noneMatch(folder -> !folder.equals(path) && path.startsWith(folder)))
                .toList();
    }

    private static Stream<Path> target(Path path) {
        try {
            return Stream.of(path.toRealPath());
        } catch (IOException missing) {
            return Stream.empty();
        }
    }

    /** Why the command cannot run without them; empty if it names no file in them. */
    Optional<String> refusal(LaunchCommand command) {
        return and(command.limits().hidden()).usual().stream()
                .filter(Files::isDirectory)
                .filter(folder -> Stream.concat(command.folder().stream().map(Path::toString), command.words().stream())
                        .anyMatch(word -> word.startsWith(folder + "/") || word.equals(folder.toString())))
                .findFirst()
                .map(
                        ("it names a file in '%s', which its sandbox hides from level L2 on; move the file, or give the server"
                                        + " \"sandbox\": {\"level\": \"L1\"}")::formatted);
    }

    /** The words that cover the paths of limits and then execute the following ones. */
    static List<String> words(SystemTools tools, ProcessLimits limits) {
        var words = new ArrayList<>(List.of(tools.path("sh"), "-c", COVER, tools.path("mount")));
        limits.hidden().forEach(path -> words.add(path.toString()));
        words.add("--");
        return words;
    }
}
