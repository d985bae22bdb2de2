// What both generations of the TypeScript SDK are asked to do with resources, prompts and completions of a daemon in
// front of several server-everything; told as one line of JSON.

const PREFIX = "everything__";
const STATIC = "demo://resource/static/document/features.md";
const DYNAMIC = "demo://resource/dynamic/text/7";

/**
 * @param client a connected client
 * @param changes is told to: (handler) => hears the method of each notification
 */
export async function look(client, changes) {
    const heard = [];
    changes((method) => heard.push(method));
    const resources = await client.listResources();
    const templates = await client.listResourceTemplates();
    const prompts = await client.listPrompts();
    const read = await client.readResource({ uri: STATIC });
    const dynamic = await client.readResource({ uri: DYNAMIC });
    const unknown = await failure(client.readResource({ uri: "file:///etc/passwd" }));
    const prompt = await client.getPrompt({
        name: PREFIX + "args-prompt",
        arguments: { city: "Köln" },
    });
    const department = await complete(client, "department", "E", {});
    const leader = await complete(client, "name", "", { department: "Sales" });
    const id = await client.complete({
        ref: { type: "ref/resource", uri: "demo://resource/dynamic/text/{resourceId}" },
        argument: { name: "resourceId", value: "7" },
    });
    const made = await client.callTool({
        name: PREFIX + "gzip-file-as-resource",
        arguments: { name: `new-${process.pid}.gz`, data: "data:text/plain,hello", outputType: "resourceLink" },
    });
    await until(() => heard.includes("notifications/resources/list_changed"));
    const after = await client.listResources();
    return {
        capabilities: client.getServerCapabilities(),
        resources: resources.resources.map((resource) => resource.uri),
        templates: templates.resourceTemplates.map((template) => template.uriTemplate),
        prompts: prompts.prompts.map((listed) => listed.name),
        read: read.contents[0].text.length,
        dynamic: dynamic.contents[0].text.slice(0, 40),
        unknown,
        prompt: prompt.messages[0].content.text,
        department,
        leader,
        id: id.completion.values,
        made: made.content[0],
        heard: [...new Set(heard)],
        added: after.resources.length - resources.resources.length,
    };
}

async function complete(client, name, value, chosen) {
    const result = await client.complete({
        ref: { type: "ref/prompt", name: PREFIX + "completable-prompt" },
        argument: { name, value },
        context: { arguments: chosen },
    });
    return result.completion.values;
}

async function failure(promise) {
    try {
        await promise;
        return {};
    } catch (error) {
        return { code: error.code, uri: error.data?.uri };
    }
}

async function until(holds) {
    for (let left = 500; left > 0 && !holds(); left--) {
        await new Promise((resume) => setTimeout(resume, 20));
    }
}
