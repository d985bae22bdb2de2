package io.mcpbridge.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A contract that nothing can break proves nothing: each broken promise must fail its test, and only tests like it. */
class ContractsNoticeTest {

    @ParameterizedTest(name = "{0} fails {1}")
    @CsvSource({
        "ForgetsWritten, writtenIsReportedBeforeTheAnswer",
        "ForgetsWritten, requestThatThePeerDiesOnCountsAsHandedOver",
        "WrittenTooSoon, sendAfterCloseEndsWithoutBeingSent",
        "WrittenTooSoon, abandonedBeforeItIsWrittenNeverReachesThePeer",
        "ClosesTwice, endOfTheConnectionIsReportedOnce",
        "LosesMessages, messagesArriveInTheOrderSentByThePeer",
        "GarblesText, textSplitWithinItsCharactersArrivesWhole",
        "NeverCancels, abandonedAfterItIsWrittenIsCancelledOnTheWire",
        "LeavesAThread, nothingIsLeftBehind"
    })
    void brokenPromiseIsNoticed(String suite, String method) {
        var broken = run(suite, method);

        assertThat(broken.getSummary().getTestsFailedCount()).as(report(broken)).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} keeps {1}")
    @CsvSource({
        "ForgetsWritten, requestIsAnsweredWithWhatThePeerSays",
        "ClosesTwice, writtenIsReportedBeforeTheAnswer",
        "NeverCancels, nothingIsLeftBehind"
    })
    void otherPromisesAreStillFoundKept(String suite, String method) {
        var broken = run(suite, method);

        assertThat(broken.getSummary().getTestsSucceededCount())
                .as(report(broken))
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} fails {1}")
    @CsvSource({
        "PassesTwice, callIsPassedOnOnce",
        "KeepsCalls, callsAreHandedOnThoughNoneIsAnswered",
        "HidesCancellation, cancellationReachesTheHolderOfTheCall",
        "ForgetsAlarms, noAlarmOutlivesTheCalls",
        "RewritesFailures, failureIsTheOutcome",
        "RewritesFailures, eventsComeInTheirOrder"
    })
    void brokenPromiseOfAStageIsNoticed(String suite, String method) {
        var broken = run(BrokenStages.class, suite, method);

        assertThat(broken.getSummary().getTestsFailedCount()).as(report(broken)).isEqualTo(1);
    }

    private static SummaryGeneratingListener run(String suite, String method) {
        return run(BrokenContracts.class, suite, method);
    }

    private static SummaryGeneratingListener run(Class<?> suites, String suite, String method) {
        var name = suites.getName() + "$" + suite;
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(name, method))
                .configurationParameter(OnlyWhenAsked.KEY, "wanted")
                .build();
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        return summary;
    }

    private static String report(SummaryGeneratingListener broken) {
        var text = new StringWriter();
        broken.getSummary().printFailuresTo(new PrintWriter(text));
        return text.toString();
    }
}
