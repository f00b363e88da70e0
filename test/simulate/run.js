// `npm run simulate -- --experiments 10000 --seed 7`. Plain JavaScript, since nothing compiles it first.
import { build } from 'esbuild'

const outfile = new URL('../../dist/simulate/main.js', import.meta.url)
const entryPoints = [new URL('main.ts', import.meta.url).pathname]
const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external' }

await build({ entryPoints, outfile: outfile.pathname, ...options })
await import(outfile.href)
