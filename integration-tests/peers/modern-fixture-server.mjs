// What modern-fixture.mjs serves. A new server is made for each request or connection; the lists live here.
import { completable, fromJsonSchema, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { z } from "zod";
import { askingTools, codec, promptWithContext } from "./modern-fixture-asking.mjs";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
const WAV = "UklGRigAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQQAAACAgICA";

const WITH_HEADER = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } };

// Keywords that a server or bridge which models schemas tends to lose.
const RICH = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: { address: { $anchor: "postal", type: "object", properties: { town: { type: "string" } } } },
    properties: {
        address: { $ref: "#/$defs/address" },
        phone: { type: "string" },
        email: { type: "string" },
        by: { enum: ["phone", "email"] },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { by: { const: "phone" } }, required: ["by"] },
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
};

const listed = { tool: false, prompt: false };

const waiting = new Set();
let withdrawn = 0;

/** Makes a server; with a bus, its changes go to everybody who listens there. */
export function fixture(bus) {
    const server = new McpServer(
        { name: "modern-fixture", version: "1.0.0" },
        {
            capabilities: {
                tools: { listChanged: true },
                prompts: { listChanged: true },
                resources: { listChanged: true, subscribe: true },
                completions: {},
                logging: {},
            },
            requestState: { verify: codec.verify },
        },
    );
    contentTools(server);
    talkingTools(server);
    waitingTools(server);
    askingTools(server);
    changingTools(server, bus);
    resources(server);
    prompts(server);
    return server;
}

export function said(text) {
    return { content: [{ type: "text", text }] };
}

export function tool(server, name, handler, inputSchema) {
    const description = `Does what the conformance suite asks of '${name}'.`;
    if (inputSchema === undefined) {
        return server.registerTool(name, { description }, handler);
    } else {
        return server.registerTool(name, { description, inputSchema }, handler);
    }
}

function contentTools(server) {
    const image = { type: "image", data: PNG, mimeType: "image/png" };
    const audio = { type: "audio", data: WAV, mimeType: "audio/wav" };
    const embedded = (uri, mimeType, text) => ({ type: "resource", resource: { uri, mimeType, text } });

    tool(server, "test_simple_text", () => said("This is a simple text response for testing."));
    tool(server, "test_image_content", () => ({ content: [image] }));
    tool(server, "test_audio_content", () => ({ content: [audio] }));
    tool(server, "test_embedded_resource", () => ({
        content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")],
    }));
    tool(server, "test_multiple_content_types", () => ({
        content: [
            { type: "text", text: "Multiple content types test:" },
            image,
            embedded("test://mixed-content-resource", "application/json", '{"test":"data"}'),
        ],
    }));
    tool(server, "test_error_handling", () => ({
        ...said("This tool intentionally returns an error for testing"),
        isError: true,
    }));
    tool(server, "test_custom_header", () => said("served"), fromJsonSchema(WITH_HEADER));
    tool(server, "json_schema_2020_12_tool", () => said("valid"), fromJsonSchema(RICH));
}

function talkingTools(server) {
    const log = async (context) => {
        for (const line of ["started", "working", "ended"]) {
            await context.mcpReq.log("info", line);
        }
        return said("logged");
    };
    tool(server, "test_tool_with_logging", log);
    tool(server, "test_logging_tool", log);
    tool(server, "test_tool_with_progress", async (context) => {
        await progressTo100(context);
        return said("done");
    });
}

/** A tool that waits until it is withdrawn or let go, and tools that tell how often it was and let it go. */
function waitingTools(server) {
    tool(server, "test_waiting", async (context) => {
        await progressTo100(context);
        return new Promise((end) => {
            const letGo = () => end(said("let go"));
            waiting.add(letGo);
            context.mcpReq.signal.addEventListener("abort", () => {
                withdrawn += waiting.delete(letGo) ? 1 : 0;
                end(said("withdrawn"));
            });
        });
    });
    tool(server, "test_withdrawn", () => {
        const count = withdrawn;
        withdrawn = 0;
        return said(String(count));
    });
    tool(server, "test_let_go", () => {
        const count = waiting.size;
        waiting.forEach((letGo) => letGo());
        waiting.clear();
        return said(String(count));
    });
}

async function progressTo100(context) {
    const progressToken = context.mcpReq._meta?.progressToken;
    for (let progress = 0; progressToken !== undefined && progress <= 100; progress += 50) {
        const params = { progressToken, progress, total: 100 };
        await context.mcpReq.notify({ method: "notifications/progress", params });
    }
}

/** Over a stream there is one server for the whole connection, so what comes and goes does so in it. */
function changingTools(server, bus) {
    const make = {
        tool: () => tool(server, "test_tool_that_comes_and_goes", () => said("here")),
        prompt: () => prompt(server, "test_prompt_that_comes_and_goes", undefined, () => asked("Are you here?")),
    };
    const there = {};
    const trigger = (name, kind, key) =>
        tool(server, name, () => {
            listed[key] = !listed[key];
            if (bus !== undefined) {
                bus.publish({ kind });
            } else if (listed[key]) {
                there[key] = make[key]();
            } else {
                there[key].remove();
            }
            return said(listed[key] ? "come" : "gone");
        });
    trigger("test_trigger_tool_change", "tools_list_changed", "tool");
    trigger("test_trigger_prompt_change", "prompts_list_changed", "prompt");
    for (const key of Object.keys(make)) {
        if (listed[key]) {
            there[key] = make[key]();
        }
    }
}

function resources(server) {
    const resource = (uri, mimeType, contents) =>
        server.registerResource(
            uri.slice("test://".length),
            uri,
            { description: "A resource of the conformance suite.", mimeType },
            (asked) => ({ contents: [{ uri: asked.href, mimeType, ...contents }] }),
        );
    resource("test://static-text", "text/plain", { text: "This is the content of the static text resource." });
    resource("test://static-binary", "image/png", { blob: PNG });
    resource("test://watched-resource", "text/plain", { text: "Watched." });
    server.registerResource(
        "template",
        new ResourceTemplate("test://template/{id}/data", { list: undefined }),
        { description: "A template of the conformance suite.", mimeType: "application/json" },
        (uri, { id }) => ({
            contents: [
                { uri: uri.href, mimeType: "application/json", text: JSON.stringify({ id, templateTest: true }) },
            ],
        }),
    );
}

function prompts(server) {
    const user = (content) => ({ role: "user", content });
    const begins = (value) => ["paris", "park", "party", "test-case"].filter((word) => word.startsWith(value));

    prompt(server, "test_simple_prompt", undefined, () => asked("This is a simple prompt."));
    prompt(
        server,
        "test_prompt_with_arguments",
        z.object({ arg1: completable(z.string(), begins), arg2: z.string() }),
        ({ arg1, arg2 }) => asked(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    );
    prompt(
        server,
        "test_prompt_with_embedded_resource",
        z.object({ resourceUri: z.string() }),
        ({ resourceUri }) => ({
            messages: [
                user({
                    type: "resource",
                    resource: { uri: resourceUri, mimeType: "text/plain", text: "Embedded resource content." },
                }),
                user({ type: "text", text: "Please process the embedded resource above." }),
            ],
        }),
    );
    prompt(server, "test_prompt_with_image", undefined, () => ({
        messages: [
            user({ type: "image", data: PNG, mimeType: "image/png" }),
            user({ type: "text", text: "Please analyze the image above." }),
        ],
    }));
    prompt(server, "test_input_required_result_prompt", undefined, (context) => promptWithContext(context, asked));
}

function prompt(server, name, argsSchema, handler) {
    const description = `Does what the conformance suite asks of '${name}'.`;
    return server.registerPrompt(name, argsSchema === undefined ? { description } : { description, argsSchema }, handler);
}

function asked(text) {
    return { messages: [{ role: "user", content: { type: "text", text } }] };
}
