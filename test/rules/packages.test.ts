import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version as tilth } from '#package.json'
import { packageNames } from '../../packages/build'
import { codeIn, isTest, sources, sourcesIn } from './source-files'

const root = join(import.meta.dirname, '../..')

interface Manifest {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** `@scope/name` of `@scope/name/file`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

const isPackage = (specifier: string): boolean =>
  !/^(?:[./#]|node:)/.test(specifier) && !builtinModules.includes(specifier)

test('the code imports only packages that a start installs', () => {
  const installed = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)])
  const missing = sourcesIn(root)
    .filter(({ path }) => !isTest(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ by, specifier }) => by === 'value' && isPackage(specifier))
        .map(({ specifier }) => `${packageOf(specifier)} in ${path}`),
    )
    .filter((line) => !installed.has(line.slice(0, line.indexOf(' '))))
  expect(missing).toEqual([])
})

test('the packages of the tests are no packages of the build', () => {
  const tests: Manifest = JSON.parse(readFileSync(join(root, 'test/packages/package.json'), 'utf8'))
  expect(Object.keys(tests.devDependencies).filter((name) => manifest.devDependencies[name])).toEqual([])
})

test.each(packageNames)('@tilth/%s has the version of Tilth, and stands on packages of the same', (name) => {
  const { version, peerDependencies } = JSON.parse(
    readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
  ) as { version: string; peerDependencies: Record<string, string> }
  const ours = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith('@tilth/'))
  expect([version, ...ours.map(([, wanted]) => wanted)]).toEqual([tilth, ...ours.map(() => tilth)])
})

test.each(packageNames)('@tilth/%s imports only its own files and the packages that it declares', (name) => {
  const folder = `packages/${name}`
  const declared = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'peerDependencies',
    Record<string, string> | undefined
  >
  const known = Object.keys({ ...declared.dependencies, ...declared.peerDependencies })
  const paths = codeIn(root, `${folder}/src`).filter((path) => !isTest(path))
  const files = sources(
    Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')])),
  )
  expect(files.length).toBeGreaterThan(1)
  const foreign = files.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target === undefined || !target.startsWith(`${folder}/src/`))
      .filter(({ specifier, target }) => target !== undefined || !known.includes(packageOf(specifier)))
      .map(({ specifier }) => `${specifier} in ${path}`),
  )
  expect(foreign).toEqual([])
})
