// @modelcontextprotocol/client as the client, in the modern era where the daemon speaks it:
// node lists-v2.mjs http URL
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { tell } from "./conversation.mjs";
import { look } from "./lists.mjs";

const [, place] = process.argv.slice(2);

await tell(async () => {
    let hear = () => {};
    const client = new Client(
        { name: "typescript-v2", version: "1.0.0" },
        {
            versionNegotiation: { mode: "auto", probe: { timeoutMs: 5000 } },
            listChanged: {
                resources: {
                    autoRefresh: false,
                    debounceMs: 0,
                    onChanged: () => hear("notifications/resources/list_changed"),
                },
            },
        },
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(place)));
    const seen = await look(client, (listener) => {
        hear = listener;
    });
    const era = client.getProtocolEra();
    await client.close();
    return { ...seen, era };
});
