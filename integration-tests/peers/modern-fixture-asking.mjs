// The tools of modern-fixture-server.mjs that require input before they answer.
import { randomBytes } from "node:crypto";
import { createRequestStateCodec, fromJsonSchema, inputRequired } from "@modelcontextprotocol/server";
import { said, tool } from "./modern-fixture-server.mjs";

export const codec = createRequestStateCodec({ key: randomBytes(32) });

const text = (...names) => ({
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names,
});

const DEFAULTS = {
    type: "object",
    properties: {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true },
    },
};

const TITLED = [
    { const: "r", title: "Red" },
    { const: "g", title: "Green" },
];

const ENUMS = {
    type: "object",
    properties: {
        untitledSingle: { type: "string", enum: ["red", "green"] },
        titledSingle: { type: "string", oneOf: TITLED },
        legacyEnum: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
        untitledMulti: { type: "array", items: { type: "string", enum: ["red", "green"] } },
        titledMulti: { type: "array", items: { anyOf: TITLED } },
    },
};

const form = (message, requestedSchema) => inputRequired.elicit({ message, requestedSchema });
const sampling = (question) =>
    inputRequired.createMessage({
        messages: [{ role: "user", content: { type: "text", text: question } }],
        maxTokens: 100,
    });

export function askingTools(server) {
    const name = () => ({ user_name: form("What is your name?", text("name")) });

    asking(server, "test_streaming_elicitation", name);
    asking(server, "test_input_required_result_elicitation", name);
    asking(server, "test_input_required_result_sampling", () => ({ capital: sampling("Capital of France?") }));
    asking(server, "test_input_required_result_list_roots", () => ({ client_roots: inputRequired.listRoots() }));
    asking(server, "test_input_required_result_request_state", name, true);
    asking(server, "test_input_required_result_tampered_state", name, true);
    asking(
        server,
        "test_input_required_result_multiple_inputs",
        () => ({ ...name(), greeting: sampling("Greet somebody"), client_roots: inputRequired.listRoots() }),
        true,
    );
    asking(server, "test_input_required_result_capabilities", (context) =>
        declared(context).elicitation === undefined ? { who: sampling("Who are you?") } : name(),
    );
    asking(server, "test_sampling", (context, { prompt }) => ({ said: sampling(prompt) }), false, text("prompt"));
    asking(
        server,
        "test_elicitation",
        (context, { message }) => ({ user: form(message, text("username", "email")) }),
        false,
        text("message"),
    );
    asking(server, "test_elicitation_sep1034_defaults", () => ({ form: form("Please fill in", DEFAULTS) }));
    asking(server, "test_elicitation_sep1330_enums", () => ({ form: form("Please fill in", ENUMS) }));
    tool(server, "test_input_required_result_multi_round", twoRounds);
    asking(server, "test_missing_capability", () => ({ missing: sampling("What is missing?") }));
}

export async function promptWithContext(context, asked) {
    const requests = { user_context: form("What context should the prompt use?", text("context")) };
    return answered(context, requests)
        ? asked(JSON.stringify(context.mcpReq.inputResponses))
        : inputRequired({ inputRequests: requests });
}

/** A tool that asks until all that it asked for is there, with a sealed state where it is told to. */
function asking(server, name, requests, withState = false, schema = undefined) {
    const handler = async (args, context) => {
        const inputRequests = requests(context, args);
        if (answered(context, inputRequests)) {
            return said(JSON.stringify(context.mcpReq.inputResponses));
        }
        const state = withState ? { requestState: await codec.mint({ name }, context) } : {};
        return inputRequired({ inputRequests, ...state });
    };
    if (schema === undefined) {
        tool(server, name, (context) => handler({}, context));
    } else {
        tool(server, name, handler, fromJsonSchema(schema));
    }
}

async function twoRounds(context) {
    const before = context.mcpReq.requestState() ?? { step: 0 };
    const answer = context.mcpReq.inputResponses?.[`step${before.step}`];
    const step = isAnswer(answer) ? before.step + 1 : Math.max(before.step, 1);
    if (step > 2) {
        return said("two rounds are over");
    }
    const question = step === 1 ? form("Step 1: name?", text("name")) : form("Step 2: color?", text("color"));
    return inputRequired({
        inputRequests: { [`step${step}`]: question },
        requestState: await codec.mint({ step }, context),
    });
}

function answered(context, requests) {
    return Object.keys(requests).every((key) => isAnswer(context.mcpReq.inputResponses?.[key]));
}

function isAnswer(value) {
    return typeof value === "object" && value !== null;
}

function declared(context) {
    return context.mcpReq.envelope?.["io.modelcontextprotocol/clientCapabilities"] ?? {};
}
