// A client that has the same conversation with each of several servers behind the daemon, each of which offers what
// modern-fixture.mjs does:  node matrix.mjs v1|modern|auto SERVER,SERVER... http URL  |  ... stdio COMMAND ARG...
// v1 is @modelcontextprotocol/sdk, the others are @modelcontextprotocol/client, held to the modern era or left to find
// it. For each server it tells, in one line of JSON, what it saw.
const [generation, servers, kind, place, ...args] = process.argv.slice(2);

const NAME = "typescript-" + generation;
const CAPABILITIES = { elicitation: { form: {} } };
const COMER = "test_tool_that_comes_and_goes";
const PATIENCE = { timeout: 10000 };
let changes = 0;

function answer(request) {
    const fields = Object.keys(request.params.requestedSchema.properties);
    return { action: "accept", content: Object.fromEntries(fields.map((field) => [field, "any " + field])) };
}

async function legacy() {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const types = await import("@modelcontextprotocol/sdk/types.js");
    const client = new Client({ name: NAME, version: "1.0.0" }, { capabilities: CAPABILITIES });
    client.setRequestHandler(types.ElicitRequestSchema, answer);
    client.setNotificationHandler(types.ToolListChangedNotificationSchema, () => changes++);
    await client.connect(transport(StreamableHTTPClientTransport, StdioClientTransport));
    return { client, call: (params, options) => client.callTool(params, undefined, options) };
}

async function modern(mode) {
    const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
    const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
    const client = new Client(
        { name: NAME, version: "1.0.0" },
        {
            capabilities: CAPABILITIES,
            versionNegotiation: { mode, probe: { timeoutMs: 10000 } },
            listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => changes++ } },
        },
    );
    client.setRequestHandler("elicitation/create", answer);
    await client.connect(transport(StreamableHTTPClientTransport, StdioClientTransport));
    return { client, call: (params, options) => client.callTool(params, options) };
}

function transport(Http, Stdio) {
    return kind === "http"
        ? new Http(new URL(place))
        : new Stdio({ command: place, args, env: { ...process.env } });
}

async function converse(client, call, server) {
    const prefix = server + "__";
    const text = async (tool, options = PATIENCE) => {
        const result = await call({ name: prefix + tool, arguments: {} }, options);
        return result.content[0].text;
    };
    const said = await text("test_simple_text");
    const answered = await text("test_input_required_result_elicitation");
    const { progress, withdrawal } = await withdraw(text);
    const reached = await howTheServerSawIt(text, server);
    const come = await change(client, text, (names) => names.includes(prefix + COMER));
    const gone = await change(client, text, (names) => !names.includes(prefix + COMER));
    return { said, answered, progress, withdrawal, reached, come, gone };
}

/** Withdraws a call once all its progress is told, so that it is surely under way. */
async function withdraw(text) {
    const controller = new AbortController();
    const progress = [];
    const onprogress = (told) => {
        progress.push(told.progress);
        if (told.progress === 100) {
            controller.abort("enough");
        }
    };
    const withdrawal = await text("test_waiting", { ...PATIENCE, signal: controller.signal, onprogress }).catch(
        (error) => error.message,
    );
    return { progress, withdrawal };
}

/** The official Java SDK, of which the legacy servers are made, does not hear of withdrawals: there the call waits on. */
async function howTheServerSawIt(text, server) {
    if (server.startsWith("legacy")) {
        return (await text("test_let_go")) + " let go";
    }
    let count = 0;
    await until(async () => (count += Number(await text("test_withdrawn"))) > 0);
    return count + " withdrawn";
}

/** Has the server change its tools, and waits until we have both heard and seen it. */
async function change(client, text, isSeen) {
    const before = changes;
    await text("test_trigger_tool_change");
    return until(
        async () => changes > before && isSeen((await client.listTools()).tools.map((listed) => listed.name)),
    );
}

async function until(holds) {
    for (let left = 500; left > 0; left--) {
        if (await holds()) {
            return true;
        }
        await new Promise((resume) => setTimeout(resume, 20));
    }
    return false;
}

const { client, call } = await (generation === "v1"
    ? legacy()
    : modern(generation === "auto" ? "auto" : { pin: "2026-07-28" }));
for (const server of servers.split(",")) {
    const seen = await converse(client, call, server).catch((error) => ({ failed: String(error) }));
    console.log(JSON.stringify({ server, ...seen }));
}
await client.close();
process.exit(0);
