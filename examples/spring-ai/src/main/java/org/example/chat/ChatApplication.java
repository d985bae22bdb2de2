package org.example.chat;

import io.mcpbridge.Bridge;
import io.mcpbridge.sdk.BridgeTransports;
import java.nio.file.Path;
import java.util.List;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.mcp.client.common.autoconfigure.NamedClientMcpTransport;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * A chat client whose MCP client is connected to a bridge. The property {@code mcpbridge.config} names the
 * configuration of the bridge; add the starter of a model.
 */
@SpringBootApplication
public class ChatApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(ChatApplication.class, arguments);
    }

    @Bean
    Bridge bridge(@Value("${mcpbridge.config}") String file) {
        return Bridge.open(Path.of(file));
    }

    /** Spring AI makes an MCP client for each of these. */
    @Bean
    List<NamedClientMcpTransport> bridgeTransports(Bridge bridge) {
        return List.of(new NamedClientMcpTransport("bridge", BridgeTransports.all(bridge)));
    }

    @Bean
    ChatClient chat(ChatModel model, ToolCallbackProvider tools) {
        var memory = MessageWindowChatMemory.builder().build();
        return ChatClient.builder(model)
                .defaultAdvisors(MessageChatMemoryAdvisor.builder(memory).build())
                .defaultTools(tools)
                .build();
    }
}
