// `node test/crashlab/run.js --minutes 10 --seed 7`. Plain JavaScript, since nothing compiles it first.
import { spawnSync } from 'node:child_process'
import { build } from 'esbuild'

const outfile = new URL('../../dist/crashlab/main.js', import.meta.url)
const entryPoints = [new URL('main.ts', import.meta.url).pathname]
const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external' }

// the lab starts the product many times; only the first time could there be something to build
const tilth = new URL('../../bin/tilth.js', import.meta.url).pathname
const { status } = spawnSync(process.execPath, [tilth, 'build'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

await build({ entryPoints, outfile: outfile.pathname, ...options })
await import(outfile.href)
