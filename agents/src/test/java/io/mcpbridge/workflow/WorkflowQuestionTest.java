package io.mcpbridge.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.workflow.StepResult.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Questions of workflows to the user. */
@Timeout(120)
class WorkflowQuestionTest {
    private static final String ASKING = """
            steps:
              - name: sure
                ask: {message: Delete it?, schema: {type: object, properties: {yes: {type: boolean}}}}
                timeout: 30s
              - {name: delete, tool: s.echo, when: '${steps.sure.structuredContent.yes}'}
            """;

    private final FakeServers servers = new FakeServers();

    private WorkflowResult ask(String yaml, ElicitationHandler handler) throws InterruptedException {
        return WorkflowEngine.of(servers)
                .execute(Workflow.parse(yaml), WorkflowContext.of(Map.of()).withElicitationHandler(handler));
    }

    @Test
    void answersOfTheUserAreValues() throws InterruptedException {
        var asked = new ArrayList<ElicitRequest>();
        var result = ask(ASKING, request -> {
            asked.add(request);
            return ElicitResult.accept(Map.of("yes", true));
        });

        assertThat(asked).singleElement().satisfies(request -> {
            assertThat(request.message()).isEqualTo("Delete it?");
            assertThat(request.requestedSchema().orElseThrow().text()).contains("boolean");
        });
        assertThat(FakeServers.state(result, "delete")).isEqualTo(State.OK);
        assertThat(FakeServers.state(ask(ASKING, request -> ElicitResult.accept(Map.of("yes", false))), "delete"))
                .isEqualTo(State.SKIPPED);
    }

    @Test
    void declinedElicitationFailsTheStep() throws InterruptedException {
        assertThat(ask(ASKING, request -> ElicitResult.decline())
                        .failure()
                        .orElseThrow()
                        .message())
                .contains("step 'sure' failed", "'Delete it?' was not answered: decline");
        assertThat(servers.run(ASKING).failure().orElseThrow().message()).contains("no user can be asked");
    }

    @Test
    void elicitationTimesOut() throws InterruptedException {
        // On a slow machine the question is withdrawn before its handler begins.
        var open = new AtomicInteger();
        var result = ask(ASKING.replace("30s", "50ms"), request -> {
            open.incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } finally {
                open.decrementAndGet();
            }
            return ElicitResult.decline();
        });

        assertThat(result.failure().orElseThrow().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        await().atMost(Duration.ofSeconds(30)).until(() -> open.get() == 0);
    }
}
