// A server made with @modelcontextprotocol/server that offers what the conformance suite asks for:
// node modern-fixture.mjs http|stdio|unix:PATH modern|dual
// Over HTTP it takes a loopback port of the system's choice, which it tells on standard error.
import http from "node:http";
import net from "node:net";
import { localhostHostValidation, localhostOriginValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, InMemoryServerEventBus } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { fixture } from "./modern-fixture-server.mjs";

const [way, eras] = process.argv.slice(2);

if (way === "http") {
    overHttp();
} else if (way === "stdio") {
    serveStdio(() => fixture(), { legacy: eras === "modern" ? "reject" : "serve" });
} else {
    overUnixSocket(way.slice("unix:".length));
}

function overHttp() {
    const bus = new InMemoryServerEventBus();
    const handler = toNodeHandler(
        createMcpHandler(() => fixture(bus), { legacy: eras === "modern" ? "reject" : "stateless", bus }),
    );
    const hostIsGood = localhostHostValidation();
    const originIsGood = localhostOriginValidation();
    const server = http.createServer((request, response) => {
        if (hostIsGood(request, response) && originIsGood(request, response)) {
            handler(request, response);
        }
    });
    server.listen(0, "127.0.0.1", () => console.error(`port=${server.address().port}`));
}

function overUnixSocket(path) {
    const server = net.createServer((socket) =>
        serveStdio(() => fixture(), {
            legacy: eras === "modern" ? "reject" : "serve",
            transport: new StdioServerTransport(socket, socket),
        }),
    );
    server.listen(path, () => console.error(`path=${path}`));
}
