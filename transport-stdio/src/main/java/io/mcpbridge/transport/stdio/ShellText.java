package io.mcpbridge.transport.stdio;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds command lines that run a text as a program: one of their arguments, as {@code sh -c} and {@code npx -c} do, or
 * their standard input, as {@code sh} alone does. Such a line hides from its reader what it starts, and what is put into the
 * text by mistake is run too; what stands on the standard input of a server comes from clients.
 *
 * <p>It looks at names of programs, also behind those that start another one, such as {@code env}. It is no guard
 * against whoever means to deceive: a shell under another name is not found.
 */
final class ShellText {
    private static final Set<String> SHELLS =
            Set.of("sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "csh", "tcsh", "fish", "nu");

    private static final Set<String> POWER_SHELLS = Set.of("powershell", "pwsh");

    /** Programs that start the one that their arguments name. */
    private static final Set<String> STARTERS =
            Set.of(("env nice ionice nohup setsid timeout stdbuf taskset time sudo doas"
                            + " busybox toybox start xargs unshare setpriv prlimit chrt chroot bwrap systemd-run flock strace nsenter"
                            + " gosu su-exec tini dumb-init watch find")
                    .split(" "));

    /** Programs that hand a text to the user's shell. */
    private static final Set<String> RUNNING_THE_SHELL = Set.of("su", "runuser", "script");

    /** Options of shells that take the next argument; the last of several short ones may. */
    private static final Pattern TAKING_OF_SHELLS = Pattern.compile("[-+][A-Za-z]*[oO]|--rcfile|--init-file");

    /** Options of npx that take the next argument. */
    private static final Pattern TAKING_OF_NPX = Pattern.compile("-p|--package|-w|--workspace|-C|--prefix|--cache"
            + "|--registry|--userconfig|--globalconfig|--node-options|--loglevel");

    /** Short options of a shell, the one for a text among them, or its long name. */
    private static final Pattern SHELL_TEXT = Pattern.compile("-[A-Za-z]*c[A-Za-z]*|--command.*", Pattern.DOTALL);

    /** That of fish has a second one, whose text is run before the script. */
    private static final Pattern FISH_TEXT =
            Pattern.compile("-[A-Za-z]*[cC].*|--command.*|--init-command.*", Pattern.DOTALL);

    /** Short options of a shell, the one among them with which it runs its standard input, whatever its arguments are. */
    private static final Pattern SHELL_INPUT = Pattern.compile("-[A-Za-z]*s[A-Za-z]*");

    private static final Pattern CALL = Pattern.compile("-c|--call|--call=.*|--shell-mode", Pattern.DOTALL);

    /** What may stand between a starter and the program: options, variables and numbers. */
    private static final Pattern BEFORE_PROGRAM =
            Pattern.compile("[-+].*|/[A-Za-z]|[A-Za-z_][A-Za-z0-9_]*=.*|[0-9.]+[smhd]?", Pattern.DOTALL);

    /** How {@code cmd} is told that a command line follows. */
    private static final Pattern WINDOWS_LINE = Pattern.compile("/[ckr]", Pattern.CASE_INSENSITIVE);

    /** What makes more of a word than a name or a value: it runs several programs, or fills in variables. */
    private static final Pattern WINDOWS_TEXT = Pattern.compile("(?s).*[&|<>^%].*");

    private static final Pattern POWER_TEXT =
            Pattern.compile("[-/](c|co|com.*|e|ec|en|enc.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** What is run without such a file is a text, or the standard input. */
    private static final Pattern POWER_FILE = Pattern.compile("[-/]fi?l?e?|[^-/].*\\.ps1", Pattern.CASE_INSENSITIVE);

    private ShellText() {}

    /** The name of the program that is to run a text, if one is. */
    static Optional<String> runner(String command, List<String> args) {
        var name = name(command);
        if (runsText(name, args) || (SHELLS.contains(name) && !hasScript(args))) {
            return Optional.of(name);
        }
        return STARTERS.contains(name) || name.equals("cmd") ? runnerBehind(words(name, args)) : Optional.empty();
    }

    private static Optional<String> runnerBehind(List<String> words) {
        var isFirst = true;
        for (int i = 0; i < words.size(); i++) {
            var name = name(words.get(i));
            var behind = words.subList(i + 1, words.size());
            if (runsText(name, behind) || (isFirst && SHELLS.contains(name) && !hasScript(behind))) {
                return Optional.of(name);
            }
            isFirst &= STARTERS.contains(name)
                    || BEFORE_PROGRAM.matcher(words.get(i)).matches();
        }
        return Optional.empty();
    }

    private static boolean runsText(String name, List<String> args) {
        if (SHELLS.contains(name)) {
            return hasOption(args, TAKING_OF_SHELLS, name.equals("fish") ? FISH_TEXT : SHELL_TEXT);
        }
        if (RUNNING_THE_SHELL.contains(name)) {
            return args.stream().anyMatch(word -> SHELL_TEXT.matcher(word).matches());
        }
        return switch (name) {
            case "npx", "pnpx" -> hasOption(args, TAKING_OF_NPX, CALL);
            // These two read their own options wherever they stand before "--".
            case "npm", "pnpm" ->
                args.stream()
                        .takeWhile(word -> !word.equals("--"))
                        .anyMatch(word -> CALL.matcher(word).matches());
            case "cmd" -> runsTextOfWindows(args);
            default -> POWER_SHELLS.contains(name) && runsTextOfPowerShell(args);
        };
    }

    private static boolean runsTextOfPowerShell(List<String> args) {
        var options = args.stream()
                .takeWhile(word -> !POWER_FILE.matcher(word).matches())
                .toList();
        return options.equals(args)
                || options.stream().anyMatch(word -> POWER_TEXT.matcher(word).matches());
    }

    /** Programs of Windows are often started as {@code cmd /c npx server}, whose words show what it starts. */
    private static boolean runsTextOfWindows(List<String> args) {
        var line = args.stream()
                .dropWhile(word -> !WINDOWS_LINE.matcher(word).matches())
                .skip(1)
                .toList();
        return line.isEmpty()
                || (line.size() == 1 && line.get(0).contains(" "))
                || line.stream().anyMatch(word -> WINDOWS_TEXT.matcher(word).matches());
    }

    /** Whether a shell has a file to run; else it runs its standard input, which is what clients send. */
    private static boolean hasScript(List<String> args) {
        var options = 0;
        while (options < args.size() && isOption(args.get(options))) {
            options += TAKING_OF_SHELLS.matcher(args.get(options)).matches() ? 2 : 1;
        }
        var script = options < args.size() && args.get(options).equals("--") ? options + 1 : options;
        return script < args.size()
                && args.subList(0, script).stream()
                        .noneMatch(word -> SHELL_INPUT.matcher(word).matches());
    }

    private static boolean isOption(String word) {
        return !word.equals("--") && (word.startsWith("-") || word.startsWith("+"));
    }

    /** Whether one of the options that stand before the first other argument is wanted. */
    private static boolean hasOption(List<String> args, Pattern taking, Pattern wanted) {
        for (int i = 0; i < args.size(); i++) {
            var word = args.get(i);
            if (!isOption(word)) {
                return false;
            }
            if (wanted.matcher(word).matches()) {
                return true;
            }
            i += taking.matcher(word).matches() ? 1 : 0;
        }
        return false;
    }

    /** The arguments as a starter sees them: {@code env -S} cuts one into words. */
    private static List<String> words(String starter, List<String> args) {
        var cuts = starter.equals("env") && args.stream().anyMatch(word -> word.matches("(?s)-S.*|--split-string.*"));
        return cuts
                ? args.stream()
                        .flatMap(word -> Arrays.stream(
                                word.replaceFirst("^(-S|--split-string=?)", "").split("\\s+")))
                        .toList()
                : args;
    }

    /** The name of a program without its folder and the ending that Windows gives it. */
    private static String name(String command) {
        var file = command.substring(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
        return file.toLowerCase(Locale.ROOT).replaceFirst("\\.(exe|cmd|bat|ps1)$", "");
    }
}
