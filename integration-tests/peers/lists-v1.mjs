// @modelcontextprotocol/sdk as the client:  node lists-v1.mjs http URL  |  node lists-v1.mjs stdio COMMAND ARG...
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { tell } from "./conversation.mjs";
import { look } from "./lists.mjs";

const [kind, place, ...args] = process.argv.slice(2);

await tell(async () => {
    const client = new Client({ name: "typescript-v1", version: "1.0.0" });
    const transport =
        kind === "http"
            ? new StreamableHTTPClientTransport(new URL(place))
            : new StdioClientTransport({ command: place, args, env: { ...process.env } });
    await client.connect(transport);
    const seen = await look(client, (hear) => {
        client.fallbackNotificationHandler = async (notification) => hear(notification.method);
    });
    await client.close();
    return seen;
});
