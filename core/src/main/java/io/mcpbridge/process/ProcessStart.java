package io.mcpbridge.process;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.SandboxLevel;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Turns one command into a process. What it says names the program, never arguments or variables. */
final class ProcessStart {
    /** As JDK 17 words it, {@code error=2, No such file}, and JDK 25, {@code error: 2 (No such file)}. */
    private static final Pattern ERRNO = Pattern.compile("error(?:=\\d+, |: \\d+ \\()(.+?)\\)?\\s*$");

    private static final String INSTALL = "; install the program or correct 'command'";

    private final Command command;
    private final boolean isApart;

    /** Apart: in a session of its own, where the system can do that. */
    ProcessStart(Command command, boolean isApart) {
        this.command = command;
        this.isApart = isApart;
    }

    /** Refuses what no process can be started with, before the JDK words it with the value in it. */
    void requireValid() {
        var words = command.words();
        for (int i = 0; i < words.size(); i++) {
            requirePassing(i == 0 ? "its name" : "argument " + i, words.get(i));
        }
        command.variables().forEach(this::requireValid);
        command.folder().filter(folder -> !Files.isDirectory(folder)).ifPresent(folder -> {
            throw TransportException.initFailed(
                    refusal("its working folder '%s' is not a folder that is there; make it or correct 'cwd'"
                            .formatted(folder)));
        });
        file().flatMap(ForeignProgram::reason).ifPresent(reason -> {
            throw TransportException.initFailed(refusal(reason + "; install the one for this machine"));
        });
        if (!command.wrapper().isNone()) {
            requireThere();
        }
    }

    /** A program that is not there is refused now: what its wrapper says of it would come as the words of the child. */
    private void requireThere() {
        var reason = file().map(OwnSession::refusal).orElse(Optional.of("No such file or directory"));
        reason.ifPresent(words -> {
            throw TransportException.initFailed(refusal(words + INSTALL));
        });
    }

    /** Limits and levels are for launchers that can hold a child to them. */
    void requirePlain() {
        var level = command.level().orElse(SandboxLevel.L0);
        var needed = command.limits().needs();
        if (level != SandboxLevel.L0 || needed != SandboxLevel.L0) {
            var limits = needed == SandboxLevel.L0 ? "" : "limits (%s)".formatted(command.limits());
            var levels = level == SandboxLevel.L0 ? "" : "the level " + level;
            var wish = limits.isEmpty() || levels.isEmpty() ? limits + levels : limits + " and " + levels;
            throw TransportException.initFailed(refusal(
                    "it is to have %s, which a plain process cannot be held to; add the artifact io.mcpbridge:mcp-bridge-sandbox, or take it out of 'sandbox'"
                            .formatted(wish)));
        }
    }

    private void requireValid(String name, String value) {
        if (name.isEmpty() || name.indexOf('=') >= 0 || name.indexOf('\0') >= 0) {
            throw TransportException.initFailed(
                    refusal("the variable '%s' must have a name without '=' and NUL".formatted(VisibleText.of(name))));
        }
        requirePassing("the name of the variable '%s'".formatted(VisibleText.of(name)), name);
        requirePassing("the value of the variable '%s'".formatted(VisibleText.of(name)), value);
    }

    private void requirePassing(String which, String text) {
        if (text.indexOf('\0') >= 0) {
            throw TransportException.initFailed(
                    refusal(which + " holds a NUL character, which ends a text there; take it out"));
        }
        if (!SystemText.passes(text)) {
            throw TransportException.initFailed(refusal(which + " " + SystemText.problem()));
        }
    }

    /** Starts it; on the spawning thread. */
    LaunchedProcess child(HolderSearch search) throws IOException {
        var process = process();
        return command.wrapper().stays()
                ? LaunchedProcess.guarded(process, search)
                : LaunchedProcess.of(process, search);
    }

    private Process process() throws IOException {
        var words = new ArrayList<>(command.words());
        words.set(0, program().orElse(command.program()));
        words.addAll(0, command.wrapper().words());
        if (isApart) {
            words.addAll(0, file().map(OwnSession::prefix).orElse(List.of()));
        }
        var builder = new ProcessBuilder(words);
        var environment = builder.environment();
        environment.clear();
        environment.putAll(command.variables());
        command.folder().ifPresent(folder -> builder.directory(folder.toFile()));
        return builder.start();
    }

    /** Why it did not start, in one sentence. */
    String refusal(Throwable cause) {
        var words = String.valueOf(cause.getMessage());
        var errno = ERRNO.matcher(words);
        var reason = errno.find() ? errno.group(1) : cause.getClass().getSimpleName();
        return refusal(reason + INSTALL);
    }

    String refusal(String reason) {
        return "Cannot start '%s': %s".formatted(VisibleText.of(command.program()), reason);
    }

    /**
     * Where the child's own search path has the program. The JDK would search ours, which is another one
     * where the configuration sets {@code PATH}.
     */
    private Optional<String> program() {
        var searchPath = command.variables().getOrDefault("PATH", usualPath());
        if (searchPath.isEmpty() || command.program().contains(File.separator) || File.separatorChar == '\\') {
            return Optional.empty();
        }
        return folders(searchPath).stream()
                .map(folder -> folder.resolve(command.program()))
                .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
                .map(Path::toString)
                .findFirst();
    }

    /** A wrapper searches where the system does if the child has no search path; the JDK then searches ours. */
    private String usualPath() {
        return command.wrapper().isNone() ? "" : "/usr/local/bin:/usr/bin:/bin";
    }

    /** The file that will be started, where it can be told. */
    Optional<Path> file() {
        var name = command.program();
        return name.contains(File.separator)
                ? Optional.of(here().resolve(name))
                : program().map(Path::of);
    }

    private Path here() {
        return command.folder().orElse(Path.of("")).toAbsolutePath();
    }

    private List<Path> folders(String searchPath) {
        var here = here();
        return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(searchPath)
                .map(here::resolve)
                .toList();
    }
}
