import { bundleOf } from './bundle/kept.ts';

// `npm run probe`: `probe/main.ts`, as one bundle, because reading its 140 files took a third of a start.

const { main }: typeof import('./probe/main.ts') = await import(await bundleOf('scripts/probe/main.ts'));
await main(process.argv.slice(2));
