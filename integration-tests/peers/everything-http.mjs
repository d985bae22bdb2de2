// server-everything over Streamable HTTP, on a loopback port of the system's choice, which it tells on standard error.
import net from "node:net";

const listen = net.Server.prototype.listen;

net.Server.prototype.listen = function (port, ...rest) {
    this.once("listening", () => console.error(`port=${this.address().port}`));
    return listen.call(this, 0, "127.0.0.1", ...rest);
};

await import(new URL("node_modules/@modelcontextprotocol/server-everything/dist/transports/streamableHttp.js", import.meta.url));
