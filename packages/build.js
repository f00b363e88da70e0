import { spawn } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The packages that are published from here, each after those it stands on. */
export const packageNames = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
  .map(({ name }) => name)
  .sort((one, other) => dependsOn(one, other) - dependsOn(other, one))

function dependsOn(one, other) {
  const { dependencies, peerDependencies } = manifestOf(one)
  return `@tilth/${other}` in { ...dependencies, ...peerDependencies } ? 1 : 0
}

function manifestOf(name) {
  return JSON.parse(readFileSync(join(here, name, 'package.json'), 'utf8'))
}

/** Builds a package: a module for each of its exports, and their types. */
export async function buildPackage(name) {
  const folder = join(here, name)
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  await bundlePackage(name)
  await writeTypes(folder)
  copyFileSync(join(here, '..', 'LICENSE'), join(folder, 'LICENSE'))
}

/** An export `./dist/server.js` is made of `src/server.ts`. */
export async function bundlePackage(name, outdir = join(here, name, 'dist')) {
  const { build } = await import('esbuild')
  const { exports } = manifestOf(name)
  await build({
    entryPoints: Object.values(exports).map((entry) =>
      join(here, name, 'src', entry.default.replace(/^\.\/dist\/(.+)\.js$/, '$1.ts')),
    ),
    outdir,
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    legalComments: 'none',
    tsconfigRaw: {},
    logLevel: 'error',
  })
}

const tsc = join(here, '..', 'node_modules', 'typescript', 'bin', 'tsc')

const writeTypes = (folder) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tsc, '-p', join(folder, 'tsconfig.build.json')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let message = ''
    child.stdout.on('data', (text) => (message += text))
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The types of ${folder} could not be written:\n${message}`)),
    )
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of packageNames) await buildPackage(name)
}
