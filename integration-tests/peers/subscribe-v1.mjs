// @modelcontextprotocol/sdk subscribes to a resource of server-everything:  node subscribe-v1.mjs URL
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { tell } from "./conversation.mjs";

const [place] = process.argv.slice(2);
const URI = "demo://resource/dynamic/text/9";

await tell(async () => {
    const client = new Client({ name: "typescript-v1", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(place)));
    const updated = new Promise((resolve) =>
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, (told) => resolve(told.params.uri)),
    );
    await client.subscribeResource({ uri: URI });
    await client.callTool({ name: "everything__toggle-subscriber-updates", arguments: {} });
    const heard = await updated;
    await client.callTool({ name: "everything__toggle-subscriber-updates", arguments: {} });
    await client.unsubscribeResource({ uri: URI });
    await client.close();
    return { updated: heard };
});
