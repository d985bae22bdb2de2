package io.mcpbridge.cli.trail;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {

    @TempDir
    Path folder;

    @ParameterizedTest(name = "{0} characters")
    @ValueSource(ints = {80, 100, 129, 130, 200})
    void linesFitTheWidthOfTheTerminal(int width) {
        var shown = new Shown();
        var long_ = "name".repeat(40);
        new Records(folder)
                .enter(long_, long_, long_, "")
                .exit(long_, long_, "{\"resultType\":\"input_required\"}")
                .denied(long_, long_, long_)
                .note(long_);
        var lines = TextTrailForm.fitting(width, UnaryOperator.identity());

        TrailViewer.at(folder, lines, shown).showAll(TrailFilter.ALL);

        assertThat(shown.lines()).hasSize(3).allMatch(line -> line.length() <= width);
        assertThat(shown.lines().get(0)).contains("input-required", "12ms", "…");
        assertThat(lines.header().orElseThrow().length()).isLessThanOrEqualTo(width);
    }
}
