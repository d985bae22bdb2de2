// A server made with @modelcontextprotocol/server, over its standard streams. It serves both eras.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

let begun = 0;
const withdrawn = [];

function server() {
    const made = new McpServer({ name: "typescript-v2", version: "1.0.0" });
    made.registerTool(
        "echo",
        { description: "Repeats a text.", inputSchema: z.object({ text: z.string() }) },
        async ({ text }) => said(text),
    );
    made.registerTool("wait", { description: "Waits until it is withdrawn." }, async (context) => {
        begun++;
        await new Promise((end) => context.mcpReq.signal.addEventListener("abort", end, { once: true }));
        withdrawn.push(String(context.mcpReq.signal.reason));
        return said("withdrawn");
    });
    made.registerTool("withdrawn", { description: "Tells how many calls of 'wait' were withdrawn." }, async () =>
        said(`${withdrawn.length} of ${begun}`),
    );
    return made;
}

function said(text) {
    return { content: [{ type: "text", text }] };
}

serveStdio(server);
