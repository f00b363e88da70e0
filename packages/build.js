import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The packages for apps that talk to Tilth, each after those it stands on. */
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

/**
 * Builds a package and packs it as npm would publish it: `react` becomes `react-0.1.0.tgz` in the folder. `npm` runs npm
 * with arguments.
 */
export async function packPackage(name, folder, npm) {
  const contents = join(folder, name)
  mkdirSync(contents, { recursive: true })
  for (const file of ['package.json', 'README.md']) copyFileSync(join(here, name, file), join(contents, file))
  copyFileSync(join(here, '..', 'LICENSE'), join(contents, 'LICENSE'))
  await bundlePackage(name, join(contents, 'dist'))
  await writeTypes(name, join(contents, 'dist'))
  await npm(['pack', contents, '--pack-destination', folder, '--ignore-scripts'])
  const file = `${name}-${manifestOf(name).version}.tgz`
  renameSync(join(folder, `tilth-${file}`), join(folder, file))
  rmSync(contents, { recursive: true })
}

/** An export `./dist/server.js` is made of `src/server.ts`. */
export async function bundlePackage(name, outdir) {
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

/**
 * Each file says its own types (`--isolatedDeclarations`), so no compiler has to be installed, and a start can build
 * the packages too.
 */
async function writeTypes(name, outdir) {
  const { isolatedDeclarationSync } = await import('oxc-transform')
  const folder = join(here, name, 'src')
  for (const file of readdirSync(folder).filter(isSource)) {
    const { code, errors } = isolatedDeclarationSync(file, readFileSync(join(folder, file), 'utf8'))
    if (errors.length > 0)
      throw new Error(`The types of ${name}/src/${file} could not be written:\n${errors[0].message}`)
    writeFileSync(join(outdir, file.replace(/\.tsx?$/, '.d.ts')), code)
  }
}

const isSource = (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file)
