// Bundles the extension into client-vscode/dist; --minify for what is published. The language client is
// a file of its own, which is read once a server is started: most of the code, and none of the activation.
import { build } from "esbuild";

const minify = process.argv.includes("--minify");

for (const name of ["extension", "client"]) {
    await build({
        entryPoints: [`client-vscode/src/${name}.ts`],
        outfile: `client-vscode/dist/${name}.js`,
        bundle: true,
        platform: "node",
        format: "cjs",
        target: "node20",
        // The library has a module of the same name, which must stay in.
        external: name === "extension" ? ["vscode", "./client"] : ["vscode"],
        // The editor loads what is required; an import would look for a module of the other kind.
        supported: { "dynamic-import": false },
        minify,
        sourcemap: !minify,
        legalComments: "none",
    });
}
