package io.mcpbridge.benchmarks;

import io.mcpbridge.benchmarks.Figures.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Compares the ratios of a run with the committed ones. A committed line has the ratio, its noise in percent, and the
 * name; the process ends with 1 if a ratio has moved by more than its noise, or was not measured.
 */
final class Gate {
    private final Map<String, Figure> measured = new HashMap<>();
    private boolean hasMoved;

    private Gate() {}

    /** The arguments are the folder of the run and the file of committed ratios. */
    public static void main(String[] arguments) throws IOException {
        var gate = new Gate();
        var run = new Figures(Path.of(arguments[0]));
        for (var part : run.parts()) {
            run.figures(part).forEach(figure -> gate.measured.put(figure.name(), figure));
        }
        Goals.say("%n| ratio | committed | noise | measured | |%n|---|---|---|---|---|".formatted());
        for (var line : Files.readAllLines(Path.of(arguments[1]))) {
            if (line.matches("\\d.*")) {
                gate.compare(line.split(" +", 3));
            }
        }
        System.exit(gate.hasMoved ? 1 : 0);
    }

    private void compare(String[] committed) {
        var ratio = Double.parseDouble(committed[0]);
        var noise = Double.parseDouble(committed[1]);
        var figure = measured.get(committed[2]);
        if (figure == null) {
            say(committed[2], ratio, noise, Double.NaN, "not measured");
            return;
        }
        var change = 100 * (figure.measured() / ratio - 1);
        say(committed[2], ratio, noise, figure.measured(), Math.abs(change) <= noise ? "" : figure.moved(change));
    }

    private void say(String name, double ratio, double noise, double figure, String verdict) {
        hasMoved |= !verdict.isEmpty();
        Goals.say("| %s | %.2f | %.0f %% | %.2f | %s |".formatted(name, ratio, noise, figure, verdict));
    }
}
