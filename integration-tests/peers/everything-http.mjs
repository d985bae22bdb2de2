// server-everything over Streamable HTTP, or over HTTP+SSE where the argument is "sse", on a loopback port of the system's choice, which it tells on standard error.
import net from "node:net";

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function (port, ...rest) {
    this.once("listening", () => console.error(`port=${this.address().port}`));
    return listen.call(this, 0, "127.0.0.1", ...rest);
};

const transport = process.argv[2] === "sse" ? "sse" : "streamableHttp";

await import(new URL(`node_modules/@modelcontextprotocol/server-everything/dist/transports/${transport}.js`, import.meta.url));
