// What both generations of the TypeScript SDK are asked to do: one conversation with the daemon, in front of
// server-everything, told as one line of JSON.

const PREFIX = "everything__";

/**
 * @param client a connected client
 * @param call calls a tool: (params, options) => result
 */
export async function converse(client, call) {
    const tool = (name, args, options) => call({ name: PREFIX + name, arguments: args }, options);
    const listed = await client.listTools();
    const echoed = await tool("echo", { message: "grüße 🌉" });
    const structured = await tool("get-structured-content", { location: "Chicago" });
    const image = await tool("get-tiny-image", {});
    // The SDKs drop the last of it where it comes together with the answer, which they hand over first.
    const progress = [];
    const long = await tool(
        "trigger-long-running-operation",
        { duration: 0.3, steps: 3 },
        { onprogress: (told) => progress.push(told.progress) },
    );
    const unknown = await failure(call({ name: "nobody__nothing", arguments: {} }));
    const wrong = await tool("get-sum", { a: "one", b: 2 }).then(
        (result) => ({ isError: result.isError === true }),
        (error) => ({ code: error.code }),
    );
    const cancelled = await cancel(tool);
    const after = await tool("get-sum", { a: 19, b: 23 });
    // The modern era has no ping, and the SDK refuses to send one there.
    if (client.getProtocolEra?.() !== "modern") {
        await client.ping();
    }
    return {
        server: client.getServerVersion(),
        tools: listed.tools.map((listedTool) => listedTool.name),
        echo: echoed.content[0].text,
        structured: structured.structuredContent,
        image: image.content.filter((block) => block.type === "image").map((block) => block.mimeType),
        long: long.content[0].text,
        progress,
        unknown,
        wrong,
        cancelled,
        after: after.content[0].text,
    };
}

/** Withdraws a call once it has told of its progress, so that it is surely under way. */
async function cancel(tool) {
    const withdrawal = new AbortController();
    const error = await failure(
        tool(
            "trigger-long-running-operation",
            { duration: 60, steps: 600 },
            { signal: withdrawal.signal, onprogress: () => withdrawal.abort("enough") },
        ),
    );
    return error.message;
}

async function failure(promise) {
    try {
        await promise;
    } catch (error) {
        return { code: error.code, message: error.message };
    }
    return { message: "no failure" };
}

/** Runs a conversation, prints what was seen and ends the process, whatever happens. */
export async function tell(conversation) {
    try {
        process.stdout.write(JSON.stringify(await conversation()) + "\n", () => process.exit(0));
    } catch (error) {
        console.error(error);
        process.exit(1);
    }
}
