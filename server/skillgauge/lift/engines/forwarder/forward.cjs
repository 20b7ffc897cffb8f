// Forwards port 18080 of the loopback to the model's socket, and runs a command beside it.
"use strict";
const { spawn } = require("node:child_process");
const net = require("node:net");
const os = require("node:os");

const port = Number(process.env.SKILLGAUGE_PORT || 18080);
const model = process.env.SKILLGAUGE_SOCKET || "/run/skillgauge/model.sock";
const [program, ...words] = process.argv.slice(2);

function fail(message) {
    process.stderr.write(`skillgauge: ${message}\n`, () => process.exit(70));
}

function connect(client) {
    const other = net.connect({ path: model, allowHalfOpen: true });
    client.on("error", () => other.destroy());
    other.on("error", () => client.destroy());
    client.pipe(other);
    other.pipe(client);
}

function run() {
    const child = spawn(program, words, { stdio: ["ignore", "inherit", "inherit"] });
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"]) {
        process.on(name, () => child.kill(name));
    }
    child.on("error", (error) => {
        const why = error.code === "ENOENT" ? "No such file or directory" : error.message;
        fail(`“${program}” can't be started: ${why}`);
    });
    child.on("exit", (code, signal) => {
        process.exit(signal ? 128 + os.constants.signals[signal] : code);
    });
}

const server = net.createServer({ allowHalfOpen: true }, connect);
server.on("error", (error) => fail(`Port ${port} can't be opened: ${error.message}`));
server.listen(port, "127.0.0.1", 128, run);
