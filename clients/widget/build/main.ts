/** `node build/main.ts FILE`: bundles the widget into a file, for images, which have no bundler. */
import { writeFile } from 'node:fs/promises';
import { bundle } from './bundle.ts';

await writeFile(process.argv[2]!, JSON.stringify(await bundle()));
