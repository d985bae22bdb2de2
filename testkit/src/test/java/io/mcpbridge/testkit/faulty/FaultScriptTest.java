package io.mcpbridge.testkit.faulty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.testkit.faulty.Fault.Kind;
import io.mcpbridge.testkit.faulty.FaultScript.Point;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultScriptTest {

    @Test
    void ruleWithATimeAppliesOnce() {
        var script = FaultScript.parse("on-request:3=exit:7");

        assertThat(script.at(Point.ON_REQUEST, 2)).isEmpty();
        assertThat(script.at(Point.ON_REQUEST, 3)).containsExactly(new Fault(Kind.EXIT, "7"));
        assertThat(script.at(Point.ON_REQUEST, 4)).isEmpty();
        assertThat(script.at(Point.ON_LIST, 3)).isEmpty();
    }

    @Test
    void ruleWithAPlusKeepsApplying() {
        var script = FaultScript.parse("start:2+=tool:more");

        assertThat(script.at(Point.START, 1)).isEmpty();
        assertThat(script.at(Point.START, 99)).containsExactly(new Fault(Kind.TOOL, "more"));
    }

    @Test
    void ruleWithoutATimeAppliesAlways() {
        var script = FaultScript.parse("on-request=garbage", "on-request=status:429:2");

        assertThat(script.at(Point.ON_REQUEST, 1))
                .containsExactly(new Fault(Kind.GARBAGE, ""), new Fault(Kind.STATUS, "429:2"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "nonsense | is no rule; write point=fault",
                "on-lunch=exit | there is no point 'on-lunch'; there are start, before-initialize",
                "start=explode | there is no fault 'explode'; there are exit, hang",
                "start=exit:x | the fault 'exit' has the argument 'x' but takes a number",
                "start=hang:3 | the fault 'hang' has the argument '3' but takes no argument",
                "start=tool | the fault 'tool' has the argument '' but takes a text",
                "start=era:old | the fault 'era' has the argument 'old' but takes legacy or modern",
                "on-request=status:never | the fault 'status' has the argument 'never' but takes a status such as 503"
                        + " or 429:2",
                "start=huge | the fault 'huge' needs a request to spoil the answer of",
                "start:0=exit | which are counted from 1",
            })
    void malformedRuleIsQuoted(String rule, String words) {
        assertThatThrownBy(() -> FaultScript.parse(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void httpStatusIsRejectedForAByteStream() {
        var script = FaultScript.parse("on-request=status:503");

        assertThatThrownBy(() -> FaultyServer.overUnix(Path.of("s"), io.mcpbridge.message.Era.LEGACY, script))
                .hasMessage("'on-request:1+=status:503' needs HTTP; a byte stream has no status");
    }
}
