package io.mcpbridge.audit.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LostExitsTest {
    private final OpenCalls open = new OpenCalls();
    private final LostExits lost = new LostExits(4, 1);

    @Test
    void onlySoManyCallsStayOpen() {
        enter("a", "b", "c", "d");

        lose("a", "b", "c");

        assertThat(open.calls()).containsOnlyKeys("a", "d");
    }

    @Test
    void enterThatIsWrittenAfterItsExitWasRefusedIsOpenNoLonger() {
        enter("a");
        lose("a", "late");
        enter("late");

        lost.leave(open, true);

        assertThat(open.calls()).containsOnlyKeys("a");
    }

    @Test
    void callsThatNeverEnteredMakeRoomForOthers() {
        enter("a", "b");
        lose("a", "1", "2", "3", "4");
        lost.leave(open, true);

        lose("b");

        assertThat(open.calls()).containsOnlyKeys("a");
    }

    private void enter(String... calls) {
        for (var each : calls) {
            open.entered(each, new OpenCalls.Place(1, 0));
        }
    }

    private void lose(String... calls) {
        for (var each : calls) {
            lost.add(each);
        }
        lost.remember();
        lost.leave(open, false);
    }
}
