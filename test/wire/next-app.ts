import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { version } from '#package.json'
import { buildOnce } from '../running/build-once'
import { type EndLater, runProgram } from '../start/tilth'

const root = resolve(import.meta.dirname, '../..')
/** Inside the repository, because Turbopack follows no link that leaves its root. */
const folder = join(root, '.test-example')
const next = join(root, 'node_modules/next/dist/bin/next')

const usedPackages = ['react', 'next']

/** Browsers reach Tilth by the app's own address, which the app's proxy passes on. */
const fixed = { NEXT_PUBLIC_TILTH_ADDRESS: '/ingest', NEXT_PUBLIC_TILTH_PROJECT: 'phc_whole_test_key' }

/** Builds `examples/next-app` with the packages as they are published, once until a source has changed. */
const builtExample = (): Promise<void> =>
  buildOnce(join(root, 'test-results/next-example'), fingerprint(), async () => {
    // Next's cache of the last build makes this one quicker
    for (const entry of ['app', 'pages', 'node_modules'])
      rmSync(join(folder, entry), { recursive: true, force: true })
    cpSync(join(root, 'examples/next-app'), folder, { recursive: true })
    for (const name of usedPackages) await unpack(name, join(folder, 'node_modules/@tilth', name))
    writeFileSync(
      join(folder, 'next.config.js'),
      `export default { turbopack: { root: ${JSON.stringify(root)} } }\n`,
    )
    await buildPages()
  })

/** Unpacks a package that Tilth serves, as npm does. */
async function unpack(name: string, installed: string): Promise<void> {
  mkdirSync(installed, { recursive: true })
  const file = join(root, 'dist/packages', `${name}-${version}.tgz`)
  await promisify(execFile)('tar', ['-xzf', file, '-C', installed, '--strip-components=1'])
}

async function buildPages(): Promise<void> {
  const env = { ...process.env, ...fixed, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' } as const
  try {
    await promisify(execFile)(process.execPath, [next, 'build'], { cwd: folder, env })
  } catch (problem) {
    // Next says on its output what is wrong
    throw new Error(`The example could not be built:\n${(problem as { stdout?: string }).stdout}`, {
      cause: problem,
    })
  }
}

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version)
  for (const file of [...usedPackages.map((name) => `packages/${name}`), 'examples/next-app'].flatMap(
    (name) => sourcesUnder(join(root, name)),
  ))
    hash.update(file).update(readFileSync(file))
  return hash.update(readFileSync(import.meta.filename)).digest('hex')
}

const sourcesUnder = (within: string): string[] =>
  readdirSync(within, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort()

/** The example, built and running before a Tilth; returns its address. */
export async function aNextApp(
  tilth: string,
  secretKey: string,
  endLater: EndLater,
  settings: Record<string, string> = {},
): Promise<string> {
  await builtExample()
  const environment = {
    ...fixed,
    TILTH_ADDRESS: tilth,
    TILTH_SECRET_KEY: secretKey,
    NEXT_TELEMETRY_DISABLED: '1',
    ...settings,
  }
  const server = join(import.meta.dirname, 'next-server.mjs')
  const running = runProgram(process.execPath, [server, folder], environment, { endLater })
  const [, address = ''] = await running.waitForOutput(/^Ready at (\S+)/m)
  return address
}
