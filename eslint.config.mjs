// What the extension's sources and tests are held to.
import tseslint from "typescript-eslint";

export default tseslint.config(
    { ignores: ["**/dist/**", "**/node_modules/**", ".venv*/**", "**/*.mjs", "**/*.js"] },
    ...tseslint.configs.strictTypeChecked,
    {
        languageOptions: {
            parserOptions: {
                project: ["client-vscode/tsconfig.json"],
                tsconfigRootDir: import.meta.dirname,
            },
        },
        rules: {
            "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
            "max-lines": ["error", 300],
            "no-console": "error",
        },
    },
    {
        // Test runners collect these promises themselves.
        files: ["client-vscode/test/**"],
        rules: { "@typescript-eslint/no-floating-promises": "off" },
    },
    {
        // What the tests of a real editor say is read on a console.
        files: ["tests/e2e/vscode/**"],
        rules: { "no-console": "off" },
    },
);
