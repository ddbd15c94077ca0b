import { fileURLToPath } from 'node:url';
import { buildPages } from '../edge/local/pages.ts';

// Builds the pages into the folder that wrangler.toml names: `npm run build:pages`, before each deploy.

await buildPages(fileURLToPath(new URL('../.build/pages', import.meta.url)));
