package io.mcpbridge.catalog.check;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.SingleEnd;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.spi.SchemaIssue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Supplier;

/**
 * One check that a call waits for, before and while it runs; meanwhile the call can be withdrawn, and its deadline holds.
 * Whatever happens, the hearer hears of it once. Any thread.
 */
final class WaitingCheck {
    private final Call call;
    private final Supplier<List<SchemaIssue>> check;
    private final Hearer hearer;
    private final Logger logger;
    private final SingleEnd end = new SingleEnd();

    /** Hears what a check found. */
    interface Hearer {

        void issues(List<SchemaIssue> issues);

        /** There was no check, or nobody waited for its end. */
        void impossible(ErrorCode code, String why);
    }

    WaitingCheck(Call call, Supplier<List<SchemaIssue>> check, Hearer hearer, Logger logger) {
        this.call = call;
        this.check = check;
        this.hearer = hearer;
        this.logger = logger;
    }

    void begin(CheckTurns turns) {
        turns.enter(this);
        if (end.isOver()) {
            return;
        }
        var alarm = call.deadline().alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        var link = call.cancellation().onCancel(this::withdrawn);
        end.releasing(() -> {
            alarm.cancel();
            link.remove();
            turns.leave(this);
        });
    }

    /** Looks, unless the wait is over already; for the thread whose turn it is. */
    void run() {
        if (end.isOver()) {
            return;
        }
        try {
            look();
        } catch (RuntimeException | Error defect) {
            logger.log(Level.WARNING, "[mcp-bridge] what follows a check by a schema failed", defect);
        }
    }

    private void look() {
        List<SchemaIssue> issues;
        try {
            issues = check.get();
        } catch (RuntimeException | Error defect) {
            logger.log(Level.WARNING, "[mcp-bridge] a check by a schema failed", defect);
            impossible(ErrorCode.INTERNAL_ERROR, "the check failed: " + defect);
            return;
        }
        if (end.end()) {
            hearer.issues(issues);
        }
    }

    void refuse(String why) {
        impossible(ErrorCode.OVERLOADED, why);
    }

    private void withdrawn(CancelReason reason) {
        impossible(reason.code(), "the call was withdrawn before the check was over: " + reason.text());
    }

    private void impossible(ErrorCode code, String why) {
        if (end.end()) {
            hearer.impossible(code, why);
        }
    }
}
