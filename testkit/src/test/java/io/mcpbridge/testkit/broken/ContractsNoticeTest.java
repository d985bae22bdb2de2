package io.mcpbridge.testkit.broken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** A contract that nothing can break proves nothing: each broken promise must fail its test, and only tests like it. */
class ContractsNoticeTest {

    @ParameterizedTest(name = "{0} fails {1}")
    @CsvSource({
        "ForgetsWritten, writtenIsReportedBeforeTheAnswer",
        "ForgetsWritten, requestCountsAsSentWhenThePeerDies",
        "WrittenTooSoon, sendAfterCloseEndsWithoutBeingSent",
        "WrittenTooSoon, abandonedBeforeItIsWrittenNeverReachesThePeer",
        "ClosesTwice, endOfTheConnectionIsReportedOnce",
        "LosesMessages, messagesArriveInTheOrderSentByThePeer",
        "GarblesText, textSplitWithinItsCharactersArrivesWhole",
        "NeverCancels, abandonedAfterItIsWrittenIsCancelledOnTheWire",
        "LeavesAThread, nothingIsLeftBehind"
    })
    void brokenPromiseIsDetected(String suite, String method) {
        var broken = run(suite, method);

        assertThat(broken.getSummary().getTestsFailedCount()).as(report(broken)).isEqualTo(1);
    }

    /** Wrong plug-ins of the kinds that authors make. */
    @ParameterizedTest(name = "{0} fails {1}")
    @CsvSource({
        "BrokenContracts$LeavesAThreadOfAnyName, nothingIsLeftBehind",
        "BrokenContracts$LeavesASocket, nothingIsLeftBehind",
        "BrokenSinks$KeepsNothing, completedRecordsAreStored",
        "BrokenSinks$BlocksItsCaller, callerDoesNotWaitForItsRecord",
        "BrokenSinks$StoresOnTheCallersThread, callerDoesNotWaitForItsRecord",
        "BrokenPolicies$Sleeps, decideDoesNotWait",
        "BrokenPolicies$RepeatsOverloaded, rejectionByTheBridgeIsNotRepeated(io.mcpbridge.failure.ErrorCode)",
        "BrokenContracts$DeliversTwice, notificationHasNoAnswer",
        "BrokenContracts$NeverReportsTheEnd, closeEndsRequestsInFlight",
        "BrokenContracts$ThrowsAfterClose, sendAfterCloseEndsWithoutBeingSent",
        "BrokenSinks$CompletesTwice, eachRecordIsCompletedOnce",
        "BrokenSinks$NeverCompletes, closeCompletesPendingRecords",
        "BrokenSinks$ThrowsAfterClose, recordAfterCloseIsCompletedAndDoesNotThrow",
        "BrokenPolicies$NeverStops, lastAttemptIsNotFollowedByAnother",
        "BrokenPolicies$IgnoresRetryAfter, retryAfterIsTheShortestPause",
        "BrokenPolicies$RepeatsWhatMayHaveRun, destructiveToolThatMayHaveRunIsNotRepeated",
        "BrokenPolicies$CountsCalls, decisionDoesNotDependOnEarlierOnes",
        "BrokenCatalogs$KeepsRemovedServers, serversMayHaveToolsOfOneName"
    })
    void wrongPluginFailsItsContract(String suite, String method) {
        // A wrong plug-in may hang; it has less time here than with its author.
        var request = request(selectMethod("%s.%s#%s".formatted(getClass().getPackageName(), suite, method)))
                .configurationParameter("mcpbridge.contract.seconds", "1");

        var broken = run(request);

        assertThat(broken.getSummary().getTestsFailedCount()).as(report(broken)).isPositive();
    }

    @Test
    void correctPolicyPasses() {
        var whole = run(request(selectClass(BrokenPolicies.BreaksNothing.class)));

        assertThat(whole.getSummary().getFailures()).as(report(whole)).isEmpty();
        assertThat(whole.getSummary().getTestsSucceededCount()).isPositive();
    }

    @ParameterizedTest(name = "{0} keeps {1}")
    @CsvSource({
        "ForgetsWritten, requestReceivesTheAnswerOfThePeer",
        "ClosesTwice, writtenIsReportedBeforeTheAnswer",
        "NeverCancels, nothingIsLeftBehind"
    })
    void otherPromisesStillPass(String suite, String method) {
        var broken = run(suite, method);

        assertThat(broken.getSummary().getTestsSucceededCount())
                .as(report(broken))
                .isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} fails {1}")
    @CsvSource({
        "PassesTwice, callIsPassedOnOnce",
        "KeepsCalls, callsArePassedOnThoughNoneIsAnswered",
        "HidesCancellation, cancellationReachesTheNextStage",
        "ForgetsAlarms, noAlarmOutlivesTheCalls",
        "RewritesFailures, failureIsTheOutcome",
        "RewritesFailures, eventsComeInTheirOrder"
    })
    void brokenPromiseOfAStageIsDetected(String suite, String method) {
        var broken = run(BrokenStages.class, suite, method);

        assertThat(broken.getSummary().getTestsFailedCount()).as(report(broken)).isEqualTo(1);
    }

    private static SummaryGeneratingListener run(String suite, String method) {
        return run(BrokenContracts.class, suite, method);
    }

    private static SummaryGeneratingListener run(Class<?> suites, String suite, String method) {
        return run(request(selectMethod(suites.getName() + "$" + suite, method)));
    }

    private static LauncherDiscoveryRequestBuilder request(DiscoverySelector tests) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(tests)
                .configurationParameter(OnlyWhenAsked.KEY, "wanted");
    }

    private static SummaryGeneratingListener run(LauncherDiscoveryRequestBuilder request) {
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request.build(), summary);
        return summary;
    }

    private static String report(SummaryGeneratingListener broken) {
        var text = new StringWriter();
        broken.getSummary().printFailuresTo(new PrintWriter(text));
        return text.toString();
    }
}
