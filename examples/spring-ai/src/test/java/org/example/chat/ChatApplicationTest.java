package org.example.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.faulty.ExecutionCounter;
import io.mcpbridge.testkit.faulty.FaultyServerMain;
import io.mcpbridge.tool.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.AssistantMessage.ToolCall;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.boot.builder.SpringApplicationBuilder;

@Timeout(120)
class ChatApplicationTest {

    @TempDir
    private Path folder;

    @Test
    void conversationSurvivesItsServer() throws Exception {
        var application = new SpringApplicationBuilder(ChatApplication.class, ScriptedModel.class);
        try (var context = application.run("--mcpbridge.config=" + configuration())) {
            var chat = context.getBean(ChatClient.class);

            assertThat(ask(chat, "hello")).startsWith("prompt 1: ").contains("hello");
            killServer();
            assertThat(ask(chat, "again")).startsWith("prompt 2: ").contains("again");

            assertThat(ExecutionCounter.in(folder).starts()).isEqualTo(2);
        }
    }

    private Path configuration() throws IOException {
        var command = FaultyServerMain.command("--state", folder.toString());
        var server = Map.of("command", command.get(0), "args", command.subList(1, command.size()));
        return Files.writeString(
                folder.resolve("mcp.json"),
                Json.of(Map.of("mcpServers", Map.of("demo", server))).text());
    }

    private static String ask(ChatClient chat, String prompt) {
        return chat.prompt(prompt)
                .advisors(advisors -> advisors.param(ChatMemory.CONVERSATION_ID, "1"))
                .call()
                .content();
    }

    private static void killServer() throws Exception {
        var servers = ProcessHandle.current().children().toList();
        assertThat(servers).hasSize(1);
        servers.get(0).destroyForcibly();
        servers.get(0).onExit().get(30, TimeUnit.SECONDS);
    }

    /** Calls a tool with the prompt, and answers with the number of prompts so far and the result of the tool. */
    static final class ScriptedModel implements ChatModel {

        /** Spring AI runs tool calls only for models with options of this type. */
        @Override
        public ChatOptions getOptions() {
            return ToolCallingChatOptions.builder().build();
        }

        @Override
        public ChatResponse call(Prompt prompt) {
            var last = prompt.getLastUserOrToolResponseMessage();
            var answer = last instanceof ToolResponseMessage result
                    ? new AssistantMessage("prompt %d: %s"
                            .formatted(
                                    prompt.getUserMessages().size(),
                                    result.getResponses().get(0).responseData()))
                    : AssistantMessage.builder()
                            .toolCalls(List.of(echo(last.getText())))
                            .build();
            return new ChatResponse(List.of(new Generation(answer)));
        }

        private static ToolCall echo(String text) {
            return new ToolCall(
                    "call",
                    "function",
                    "demo__echo",
                    Json.of(Map.of("text", text)).text());
        }
    }
}
