import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { groupLists } from '../../bin/packages.js'

const lists = Object.fromEntries(
  (['package', 'package-lock'] as const).map((name) => [
    name,
    JSON.parse(readFileSync(`${name}.json`, 'utf8')),
  ]),
)

/** The packages that a first start installs on such a machine. */
function installed(platform: NodeJS.Platform, arch: NodeJS.Architecture): string[] {
  const names = [false, true].flatMap((late) => {
    const { lock, manifest } = groupLists(
      { manifest: lists['package'], lock: lists['package-lock'] },
      { late, withTests: false, system: { platform, arch } },
    )
    const listed = Object.keys(lock.packages).map((path) => path.slice('node_modules/'.length))
    return [...listed, ...Object.keys(manifest.dependencies)]
  })
  return [...new Set(names)].toSorted()
}

test.each<[NodeJS.Platform, NodeJS.Architecture, string]>([
  ['linux', 'x64', '-gnu'],
  ['linux', 'arm64', '-gnu'],
  ['darwin', 'arm64', ''],
  ['darwin', 'x64', ''],
])('a first start on %s %s installs every native package for it', (platform, arch, libc) => {
  const names = installed(platform, arch)
  expect(names).toEqual(
    expect.arrayContaining([
      `@chdb/lib-${platform}-${arch}${libc}`,
      `@next/swc-${platform}-${arch}${libc}`,
      `@tailwindcss/oxide-${platform}-${arch}${libc}`,
      `@node-rs/argon2-${platform}-${arch}${libc}`,
      `@esbuild/${platform}-${arch}`,
      `lightningcss-${platform}-${arch}${libc}`,
    ]),
  )
  // a package of another system that the lock lacks would fail the install
  const others = names.filter(
    (name) => name.startsWith('@chdb/lib-') && !name.includes(`${platform}-${arch}`),
  )
  expect(others.filter((name) => !lists['package-lock'].packages[`node_modules/${name}`])).toEqual([])
})
