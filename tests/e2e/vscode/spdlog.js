// Stands in for the editor's logger, which is a compiled module: writes the same files, so that output
// channels have a content and the logs can be read after a failure.
const fs = require("node:fs");
const path = require("node:path");

const NAMES = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
    constructor(_type, _name, file) {
        this.file = file;
        this.level = 2;
        this.plain = false;
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.appendFileSync(file, "");
    }

    write(level, message) {
        if (level < this.level) {
            return;
        }
        const time = new Date().toISOString().replace("T", " ").replace("Z", "");
        fs.appendFileSync(
            this.file,
            this.plain ? message : `${time} [${NAMES[level]}] ${message}\n`,
        );
    }

    getLevel() {
        return this.level;
    }

    setLevel(level) {
        this.level = level;
    }

    setPattern() {}

    clearFormatters() {
        this.plain = true;
    }

    flush() {}

    drop() {}
}

for (const [level, name] of ["trace", "debug", "info", "warn", "error", "critical"].entries()) {
    Logger.prototype[name] = function (message) {
        this.write(level, message);
    };
}

const make = async (name, file) => new Logger("rotating", name, file);

// One by one, so that an import by name finds them.
exports.version = 0;
exports.Logger = Logger;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = make;
exports.createAsyncRotatingLogger = make;
