// A client that answers what servers ask: node asking.mjs v1|v2 URL TOOL...
// v1 is @modelcontextprotocol/sdk, which speaks the legacy era; v2 is @modelcontextprotocol/client, which speaks the
// modern one. It calls each tool and tells, in one line of JSON, what the tools said and what they asked.
import { tell } from "./conversation.mjs";

const [generation, url, ...tools] = process.argv.slice(2);

const NAME = "typescript-" + generation;
const CAPABILITIES = { elicitation: { form: {} }, sampling: {}, roots: {} };
const asked = [];

const answers = {
    "elicitation/create": (params) => {
        const fields = Object.keys(params.requestedSchema.properties);
        return { action: "accept", content: Object.fromEntries(fields.map((field) => [field, "any " + field])) };
    },
    "sampling/createMessage": () => ({
        role: "assistant",
        model: "test-model",
        content: { type: "text", text: "sampled" },
    }),
    "roots/list": () => ({ roots: [{ uri: "file:///here", name: "here" }] }),
};

function answer(method) {
    return async (request) => {
        asked.push(method);
        return answers[method](request.params);
    };
}

async function legacy() {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const types = await import("@modelcontextprotocol/sdk/types.js");
    const client = new Client({ name: NAME, version: "1.0.0" }, { capabilities: CAPABILITIES });
    client.setRequestHandler(types.ElicitRequestSchema, answer("elicitation/create"));
    client.setRequestHandler(types.CreateMessageRequestSchema, answer("sampling/createMessage"));
    client.setRequestHandler(types.ListRootsRequestSchema, answer("roots/list"));
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    return { client, version: transport.protocolVersion };
}

async function modern() {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const client = new Client(
        { name: NAME, version: "1.0.0" },
        { capabilities: CAPABILITIES, versionNegotiation: { mode: "auto", probe: { timeoutMs: 10000 } } },
    );
    Object.keys(answers).forEach((method) => client.setRequestHandler(method, answer(method)));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    return { client, version: client.getNegotiatedProtocolVersion() };
}

await tell(async () => {
    const { client, version } = generation === "v1" ? await legacy() : await modern();
    const said = {};
    for (const name of tools) {
        const result = await client.callTool({ name, arguments: {} });
        said[name] = result.content.map((block) => block.text).join("\n");
    }
    await client.close();
    return { version, said, asked };
});
