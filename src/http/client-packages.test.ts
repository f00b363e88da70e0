import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openClientPackages } from './client-packages'

/** A data folder, and the folder of a build with packages by name and version. */
function aBuild() {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-packages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const kept = join(folder, 'kept')
  const problems: unknown[] = []
  const build = (version: string, content = version) => {
    const built = join(folder, 'built')
    rmSync(built, { recursive: true, force: true })
    mkdirSync(built)
    for (const name of ['next', 'react'])
      writeFileSync(join(built, `${name}-${version}.tgz`), `${name} ${content}`)
    const packages = openClientPackages(built, kept, (problem) => problems.push(problem))
    return (name: string) => packages.contentOf(name)?.toString()
  }
  return { kept, problems, build }
}

test('a package is served by its name, and by its name and version', () => {
  const contentOf = aBuild().build('1.0.0')
  expect(contentOf('react.tgz')).toBe('react 1.0.0')
  expect(contentOf('react-1.0.0.tgz')).toBe('react 1.0.0')
})

test('after an update the name stands for the new version, and the old one is still there', () => {
  const { build } = aBuild()
  build('1.0.0')
  const contentOf = build('1.1.0')
  expect(contentOf('next.tgz')).toBe('next 1.1.0')
  expect(contentOf('next-1.0.0.tgz')).toBe('next 1.0.0')
})

test('a build of the same version replaces the one before', () => {
  const { build } = aBuild()
  build('1.0.0', 'first')
  expect(build('1.0.0', 'second')('next-1.0.0.tgz')).toBe('next second')
  expect(build('1.1.0')('next-1.0.0.tgz')).toBe('next second')
})

test('packages that cannot be kept are served all the same', () => {
  const { kept, problems, build } = aBuild()
  writeFileSync(kept, 'a file where the folder would be')
  expect(build('1.0.0')('next.tgz')).toBe('next 1.0.0')
  expect(problems).toHaveLength(1)
})

test.each(['', 'vue.tgz', '../secret.tgz', 'react-9.9.9.tgz', 'react', 'toString', '%2e%2e%2fstore.db'])(
  '"%s" is no package',
  (name) => {
    expect(aBuild().build('1.0.0')(name)).toBeUndefined()
  },
)
