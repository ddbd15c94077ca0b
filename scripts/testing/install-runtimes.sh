#!/bin/sh
# The runtimes and compilers that customers may have, for the tests of the packages (runtimes.ts): Node in its oldest and
# newest line, Bun, Deno, and TypeScript from 5.0 on, all from npm, in a folder of their own. Run as root.
set -eu
FOLDER=/usr/local/lib/rcpt-runtimes

case $(uname -m) in
  x86_64) cpu=x64 bun=x64 deno=linux-x64-glibc ;;
  aarch64) cpu=arm64 bun=aarch64 deno=linux-arm64-glibc ;;
  *) echo "No runtimes for $(uname -m)." >&2; exit 1 ;;
esac

mkdir -p "$FOLDER"
cd "$FOLDER"
[ -e package.json ] || echo '{"private":true}' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts \
  "node20@npm:node-linux-$cpu@20.20.2" "node22@npm:node-linux-$cpu@22.18.0" "node26@npm:node-linux-$cpu@26.12.1" \
  "bun@npm:@oven/bun-linux-$bun@1.4.5" "deno@npm:@deno/$deno@2.9.6" jest@30.5.2 \
  typescript50@npm:typescript@5.0.4 typescript54@npm:typescript@5.4.5 typescript59@npm:typescript@5.9.3
