#!/usr/bin/env bash
# Installs the editor that the tests drive: VS Code's own server, as the npm package code-server
# carries it, and the Node that it wants. Nothing is compiled; npm is the only source. Prints where.
set -euo pipefail
VERSION=4.139.1
NODE_MAJOR=24
CACHE=${SKILLGAUGE_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/skillgauge-editors}
PLACE=$CACHE/vscode-$VERSION
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export npm_config_audit=false npm_config_fund=false npm_config_update_notifier=false

if [[ ! -e $PLACE/complete ]]; then
    mkdir -p "$CACHE"
    scratch=$(mktemp -d "$CACHE/new-XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    case $(uname -m) in x86_64) cpu=x64 ;; *) cpu=arm64 ;; esac
    npm install --prefix "$scratch/node" --loglevel=error "node-linux-$cpu@$NODE_MAJOR" >&2
    ln -s "node/node_modules/node-linux-$cpu/bin/node" "$scratch/node-bin"
    PATH=$scratch/node/node_modules/node-linux-$cpu/bin:$PATH
    (
        cd "$scratch"
        archive=$(npm pack --silent "code-server@$VERSION")
        tar xzf "$archive" --strip-components=2 package/lib/vscode
        rm "$archive"
        cd vscode
        npm install --omit=dev --ignore-scripts --legacy-peer-deps --loglevel=error >&2
        ln -sfn node_modules node_modules.asar
        # A third of the size is enough: no chat, no other systems' programs.
        rm -rf node_modules/@github node_modules/@microsoft/mxc-sdk \
            node_modules/@vscode/windows-process-tree extensions/copilot \
            extensions/mermaid-markdown-features extensions/ms-vscode.*
    )
    touch "$scratch/complete"
    rm -rf "$PLACE"
    mv "$scratch" "$PLACE"
    trap - EXIT
fi
cp "$HERE/spdlog.js" "$PLACE/vscode/node_modules/@vscode/spdlog/index.js"
echo "$PLACE"
