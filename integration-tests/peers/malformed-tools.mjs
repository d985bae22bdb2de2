// A server whose list has one good tool and many that no client should be shown, over its standard streams:
// node malformed-tools.mjs legacy  |  node malformed-tools.mjs modern
import { createInterface } from "node:readline";

const modern = process.argv[2] === "modern";
const complete = modern ? { resultType: "complete" } : {};
const object = { type: "object" };
const tools = [
    { name: "good", inputSchema: object, annotations: { readOnlyHint: true } },
    { name: "nulls", title: null, inputSchema: object, outputSchema: null, annotations: { title: null } },
    { name: "anything", inputSchema: { type: "object", properties: { a: true } } },
    { name: "none" },
    { name: "null", inputSchema: null },
    { name: "array", inputSchema: [] },
    { name: "text", inputSchema: "object" },
    { name: "string", inputSchema: { type: "string" } },
    { name: "number", inputSchema: { type: "object", properties: { a: 1 } } },
    { name: "required", inputSchema: { type: "object", required: "a" } },
    { name: "output", inputSchema: object, outputSchema: "object" },
    { name: "title", inputSchema: object, title: 5 },
    { name: "description", inputSchema: object, description: {} },
    { name: "annotations", inputSchema: object, annotations: { readOnlyHint: "yes" } },
    { name: "icons", inputSchema: object, icons: [{ src: 1 }] },
    { name: "execution", inputSchema: object, execution: { taskSupport: "maybe" } },
    { name: "meta", inputSchema: object, _meta: [] },
    { inputSchema: object },
    { name: 7, inputSchema: object },
    { name: "good", inputSchema: object },
    "tool",
    null,
];
const answers = {
    initialize: modern
        ? undefined
        : { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "old", version: "1" } },
    "server/discover": modern ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } } : undefined,
    "tools/list": modern ? { tools, ttlMs: 60000, cacheScope: "public" } : { tools },
    "tools/call": { content: [{ type: "text", text: "called" }] },
};

for await (const line of createInterface({ input: process.stdin })) {
    const { id, method } = JSON.parse(line);
    if (id !== undefined) {
        const answer = answers[method];
        const outcome =
            answer === undefined
                ? { error: { code: -32601, message: "Method not found" } }
                : { result: { ...complete, ...answer } };
        process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...outcome }) + "\n");
    }
}
