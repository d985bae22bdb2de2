package io.mcpbridge.peers;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** A client made with the official Java SDK, which records notifications and answers server requests with its name. */
final class SdkClient implements AutoCloseable {
    /** The SDK loses the order of notifications, so tests do not rely on it. */
    final List<Double> progress = new CopyOnWriteArrayList<>();

    final List<String> logged = new CopyOnWriteArrayList<>();
    final List<String> questions = new CopyOnWriteArrayList<>();
    final List<Integer> toolLists = new CopyOnWriteArrayList<>();
    final McpSyncClient sdk;
    private final String name;
    private final Runnable beforeAnswer;

    private SdkClient(String name, McpClientTransport transport, Runnable beforeAnswer) {
        this.name = name;
        this.beforeAnswer = beforeAnswer;
        this.sdk = McpClient.sync(transport)
                .clientInfo(Implementation.builder(name, "1.0").build())
                .requestTimeout(Duration.ofSeconds(20))
                .capabilities(ClientCapabilities.builder().elicitation().build())
                .elicitation(question -> answer(question.message()))
                .progressConsumer(told -> progress.add(told.progress()))
                .loggingConsumer(line -> logged.add(line.data()))
                .toolsChangeConsumer(tools -> toolLists.add(tools.size()))
                .build();
    }

    static SdkClient connect(String name, McpClientTransport transport) {
        return connect(name, transport, () -> {});
    }

    /** A client that does something more before it answers a question. */
    static SdkClient connect(String name, McpClientTransport transport, Runnable beforeAnswer) {
        var client = new SdkClient(name, transport, beforeAnswer);
        var isConnected = false;
        try {
            client.sdk.initialize();
            isConnected = true;
            return client;
        } finally {
            if (!isConnected) {
                client.close();
            }
        }
    }

    static McpClientTransport http(URI uri) {
        var origin = "http://" + uri.getAuthority();
        return HttpClientStreamableHttpTransport.builder(origin)
                .endpoint(uri.getPath())
                .build();
    }

    static McpClientTransport stdio(List<String> command) {
        return stdio(command, line -> {});
    }

    /** The same, with a consumer of the standard error of the program. */
    static McpClientTransport stdio(List<String> command, Consumer<String> errors) {
        var parameters = ServerParameters.builder(command.get(0))
                .args(command.subList(1, command.size()))
                .env(Mark.environment())
                .build();
        var transport = new OneStartTransport(parameters);
        transport.setStdErrorHandler(errors);
        return transport;
    }

    private ElicitResult answer(String question) {
        questions.add(question);
        beforeAnswer.run();
        return ElicitResult.builder(ElicitResult.Action.ACCEPT)
                .content(Map.of("name", name))
                .build();
    }

    CallToolResult call(String tool, Map<String, Object> arguments) {
        return sdk.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
    }

    /** Calls a tool and returns the first text of its result. */
    String text(String tool, Map<String, Object> arguments) {
        return ((TextContent) call(tool, arguments).content().get(0)).text();
    }

    @Override
    public void close() {
        sdk.closeGracefully();
    }

    /** The SDK starts the program again when a change of tools arrives while it closes, and never ends that one. */
    private static final class OneStartTransport extends StdioClientTransport {
        private final AtomicBoolean isStarted = new AtomicBoolean();

        private OneStartTransport(ServerParameters parameters) {
            super(parameters, McpJsonDefaults.getMapper());
        }

        @Override
        public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
            return isStarted.compareAndSet(false, true)
                    ? super.connect(handler)
                    : Mono.error(new IllegalStateException("the program was started before"));
        }
    }
}
