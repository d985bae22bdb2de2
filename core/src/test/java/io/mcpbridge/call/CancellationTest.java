package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private final Cancellation cancellation = new Cancellation();
    private final List<CancelReason> heard = new ArrayList<>();

    @Test
    void theFirstReasonWinsAndIsToldOnce() {
        cancellation.onCancel(heard::add);

        cancellation.cancel(CancelReason.TIMED_OUT);
        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(heard).containsExactly(CancelReason.TIMED_OUT);
        assertThat(cancellation.reason()).contains(CancelReason.TIMED_OUT);
    }

    @Test
    void whoeverRegistersLateIsToldAtOnce() {
        cancellation.cancel(CancelReason.CLIENT_GONE);

        cancellation.onCancel(heard::add);

        assertThat(heard).containsExactly(CancelReason.CLIENT_GONE);
    }

    @Test
    void anActionThatIsTakenBackIsNotRun() {
        cancellation.onCancel(heard::add).remove();

        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(heard).isEmpty();
    }

    @Test
    void aChildFollowsItsParentButNotTheOtherWayRound() {
        var one = cancellation.child().cancellation();
        var other = cancellation.child().cancellation();

        one.cancel(CancelReason.TIMED_OUT);
        assertThat(cancellation.isCancelled()).isFalse();
        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(one.reason()).contains(CancelReason.TIMED_OUT);
        assertThat(other.reason()).contains(CancelReason.CLIENT_GONE);
    }

    @Test
    void aChildThatIsLetGoStaysAsItIs() {
        var child = cancellation.child();
        child.link().remove();

        cancellation.cancel(CancelReason.CLIENT_GONE);

        assertThat(child.cancellation().isCancelled()).isFalse();
    }
}
