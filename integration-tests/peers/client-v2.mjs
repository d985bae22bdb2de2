// @modelcontextprotocol/client as the client, which looks for the era itself:
// node client-v2.mjs http URL  |  node client-v2.mjs stdio COMMAND ARG...
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { converse, tell } from "./conversation.mjs";

const [kind, place, ...args] = process.argv.slice(2);

await tell(async () => {
    const client = new Client(
        { name: "typescript-v2", version: "1.0.0" },
        { versionNegotiation: { mode: "auto", probe: { timeoutMs: 5000 } } },
    );
    const transport =
        kind === "http"
            ? new StreamableHTTPClientTransport(new URL(place))
            : new StdioClientTransport({ command: place, args, env: { ...process.env } });
    await client.connect(transport);
    const seen = await converse(client, (params, options) => client.callTool(params, options));
    const version = client.getNegotiatedProtocolVersion();
    const era = client.getProtocolEra();
    await client.close();
    return { ...seen, version, era };
});
