// @modelcontextprotocol/sdk as the client:  node client-v1.mjs http|sse URL  |  node client-v1.mjs stdio COMMAND ARG...
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { converse, tell } from "./conversation.mjs";

const [kind, place, ...args] = process.argv.slice(2);

await tell(async () => {
    const client = new Client({ name: "typescript-v1", version: "1.0.0" });
    const transports = {
        http: () => new StreamableHTTPClientTransport(new URL(place)),
        sse: () => new SSEClientTransport(new URL(place)),
        stdio: () => new StdioClientTransport({ command: place, args, env: { ...process.env } }),
    };
    const transport = transports[kind]();
    await client.connect(transport);
    const seen = await converse(client, (params, options) => client.callTool(params, undefined, options));
    await client.close();
    return { ...seen, version: transport.protocolVersion };
});
