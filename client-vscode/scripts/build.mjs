// Bundles the extension into client-vscode/dist; --minify for what is published.
import { build } from "esbuild";

const minify = process.argv.includes("--minify");

await build({
    entryPoints: ["client-vscode/src/extension.ts"],
    outfile: "client-vscode/dist/extension.js",
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode"],
    minify,
    sourcemap: !minify,
    legalComments: "none",
});
