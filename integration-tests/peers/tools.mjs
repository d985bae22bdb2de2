// A client of the TypeScript SDK of either generation, which tells the tools that it is shown and calls the good ones:
// node tools.mjs v1 URL  |  node tools.mjs v2 URL
import * as v1 from "@modelcontextprotocol/sdk/client/index.js";
import * as v1http from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as v2 from "@modelcontextprotocol/client";
import { tell } from "./conversation.mjs";

const [generation, place] = process.argv.slice(2);
const url = new URL(place);

await tell(async () => {
    const client =
        generation === "v1"
            ? new v1.Client({ name: "typescript-v1", version: "1.0.0" })
            : new v2.Client(
                  { name: "typescript-v2", version: "1.0.0" },
                  { versionNegotiation: { mode: "auto", probe: { timeoutMs: 5000 } } },
              );
    const transport =
        generation === "v1"
            ? new v1http.StreamableHTTPClientTransport(url)
            : new v2.StreamableHTTPClientTransport(url);
    await client.connect(transport);
    const { tools } = await client.listTools();
    const called = [];
    for (const { name } of tools.filter((tool) => tool.name.endsWith("__good"))) {
        const result = await client.callTool({ name, arguments: {} });
        called.push(`${name}: ${result.content[0].text}`);
    }
    await client.close();
    return { tools: tools.map((tool) => tool.name).sort(), called };
});
