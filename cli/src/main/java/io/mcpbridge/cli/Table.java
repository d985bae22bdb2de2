package io.mcpbridge.cli;

import io.mcpbridge.failure.VisibleText;
import java.util.ArrayList;
import java.util.List;

/** Formats aligned columns for people. Control characters in text of peers are escaped. */
final class Table {
    private final List<List<String>> rows = new ArrayList<>();

    Table(String... header) {
        rows.add(List.of(header));
    }

    Table row(Object... cells) {
        rows.add(java.util.Arrays.stream(cells)
                .map(cell -> VisibleText.of(String.valueOf(cell)))
                .toList());
        return this;
    }

    List<String> lines() {
        var widths = new int[rows.get(0).size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i));
            if (i < widths.length - 1) {
                line.append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
        }
        return line.toString().stripTrailing();
    }
}
