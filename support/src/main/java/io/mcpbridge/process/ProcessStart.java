package io.mcpbridge.process;

import io.mcpbridge.failure.TransportException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.SandboxLevel;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Starts the process of one command. Its error messages name the program, never arguments or variables.
 *
 * @param hasOwnSession whether the child gets a session of its own, if {@code setsid} is installed
 */
record ProcessStart(LaunchCommand command, boolean hasOwnSession) {
    /** The error text of JDK 17, {@code error=2, No such file}, and of JDK 25, {@code error: 2 (No such file)}. */
    private static final Pattern ERRNO = Pattern.compile("error(?:=\\d+, |: \\d+ \\()(.+?)\\)?\\s*$");

    private static final List<Path> SETSID = List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

    private static final Charset SYSTEM_ENCODING = systemEncoding();

    /** The locale C has ASCII letters only; the JDK would replace every other letter by a question mark. */
    private static final String UNENCODABLE =
            " holds characters that do not pass to a program in %s, the encoding of our locale; start under one of UTF-8, such as LC_ALL=C.UTF-8, or remove them"
                    .formatted(SYSTEM_ENCODING.name());

    /** Since JDK 18 the default encoding is always UTF-8, and a property names the system's encoding. */
    private static Charset systemEncoding() {
        var usual = Charset.defaultCharset();
        return Runtime.version().feature() < 18
                ? usual
                : Charset.forName(System.getProperty("sun.jnu.encoding", usual.name()));
    }

    /** Rejects invalid commands before the JDK does, whose message would contain the value. */
    void requireValid() {
        var words = command.words();
        for (int i = 0; i < words.size(); i++) {
            requirePassing(i == 0 ? "its name" : "argument " + i, words.get(i));
        }
        command.variables().forEach(this::requireValid);
        command.folder().filter(folder -> !Files.isDirectory(folder)).ifPresent(folder -> {
            throw TransportException.initFailed(refusal(
                    "its working folder '%s' is not an existing folder; make it or correct 'cwd'".formatted(folder)));
        });
        file().flatMap(ProgramFile::wrongMachine).ifPresent(reason -> {
            throw TransportException.initFailed(refusal(reason + "; install the one for this machine"));
        });
        if (!command.wrapper().isNone()) {
            // The wrapper's error message would look like one of the child.
            programProblem().ifPresent(problem -> {
                throw TransportException.initFailed(problem);
            });
        }
    }

    /** Why the program would not start; empty if it would, or if that is unknown. */
    Optional<String> programProblem() {
        return file().map(ProgramFile::refusal)
                .orElse(Optional.of("No such file or directory"))
                .map(words -> refusal(words + remedy()));
    }

    /** Rejects limits and levels, which only a sandbox can enforce. */
    void requirePlain() {
        var level = command.level().orElse(SandboxLevel.L0);
        var needed = command.limits().needs();
        if (level != SandboxLevel.L0 || needed != SandboxLevel.L0) {
            var limits = needed == SandboxLevel.L0 ? "" : "limits (%s)".formatted(command.limits());
            var levels = level == SandboxLevel.L0 ? "" : "the level " + level;
            var demand = limits.isEmpty() || levels.isEmpty() ? limits + levels : limits + " and " + levels;
            throw TransportException.initFailed(refusal(
                    "its 'sandbox' demands %s, which needs the artifact io.mcpbridge:mcp-bridge-sandbox; add it or change 'sandbox'"
                            .formatted(demand)));
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
                    refusal(which + " holds a NUL character, which ends a text for programs; remove it"));
        }
        if (!SYSTEM_ENCODING.newEncoder().canEncode(text)) {
            throw TransportException.initFailed(refusal(which + UNENCODABLE));
        }
    }

    /** Starts the process; on the spawning thread. */
    LaunchedProcess start(PipeHolders pipeHolders) throws IOException {
        return new LaunchedProcess(process(), command.wrapper().stays(), pipeHolders);
    }

    private Process process() throws IOException {
        var words = new ArrayList<>(command.words());
        words.set(0, program().orElse(command.program()));
        words.addAll(0, command.wrapper().words());
        if (hasOwnSession) {
            words.addAll(0, file().map(ProcessStart::setsid).orElse(List.of()));
        }
        var builder = new ProcessBuilder(words);
        var environment = builder.environment();
        environment.clear();
        environment.putAll(command.variables());
        command.folder().ifPresent(folder -> builder.directory(folder.toFile()));
        return builder.start();
    }

    /**
     * Returns the words that start a program in a session of its own, so that the keys of the terminal do not reach it.
     * {@code setsid} executes the program, so process id and parent stay the same. Empty for a program that would not
     * start, since the JDK reports its error better.
     */
    private static List<String> setsid(Path program) {
        return SETSID.stream()
                .filter(Files::isExecutable)
                .filter(unused -> ProgramFile.refusal(program).isEmpty())
                .findFirst()
                .map(setsid -> List.of(setsid.toString(), "--"))
                .orElse(List.of());
    }

    /** Returns why the process did not start, in one sentence. */
    String refusal(Throwable cause) {
        var words = String.valueOf(cause.getMessage());
        var errno = ERRNO.matcher(words);
        var reason = errno.find() ? errno.group(1) : cause.getClass().getSimpleName();
        return refusal(reason + remedy());
    }

    private String remedy() {
        return command.program().startsWith("~")
                ? "; '~' is not expanded here, so write the whole path into 'command'"
                : "; install the program or correct 'command'";
    }

    String refusal(String reason) {
        return "Cannot start '%s': %s".formatted(VisibleText.of(command.program()), reason);
    }

    /**
     * Finds the program on the child's own search path. The JDK would use the bridge's path, which differs if the
     * configuration sets {@code PATH}.
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

    /**
     * The path that is searched if the child has none: a wrapper uses the system's default, the JDK the bridge's own
     * path.
     */
    private String usualPath() {
        return command.wrapper().isNone() ? "" : "/usr/local/bin:/usr/bin:/bin";
    }

    /** The file that will be started, if it is known. */
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
