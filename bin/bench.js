import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { prepare } from './prepare.js'
import { say } from './progress.js'
import { endWithParent, onSuitableNode } from './runtime.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'bench')
const [name, ...words] = process.argv.slice(2)

try {
  await onSuitableNode(root, measure)
} catch (problem) {
  say('✗', problem.stack)
  process.exitCode = 1
}

/** `npm run bench -- start` measures what bench/start.ts says, and writes it into bench/RESULTS.md. */
async function measure() {
  endWithParent()
  if (!name || !existsSync(join(folder, `${name}.bench.ts`))) return explain()
  await prepare(root, { withTests: true })
  const program = await compiled(join(folder, `${name}.bench.ts`))
  try {
    await import(pathToFileURL(program).href)
  } finally {
    rmSync(program, { force: true })
  }
}

function explain() {
  const names = readdirSync(folder).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? [])
  say('', `What shall be measured? npm run bench -- ${names.join(' | ')}`)
  process.exitCode = 1
}

/** Within the project, so that its packages are found. */
async function compiled(source) {
  const { build, stop } = await import('esbuild')
  const outfile = join(root, 'node_modules', '.cache', `bench-${name}-${process.pid}.mjs`)
  await build({
    entryPoints: [source],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  await stop()
  process.argv.splice(2, process.argv.length, ...words)
  return outfile
}
