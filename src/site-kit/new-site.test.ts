import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { KitBuilder } from './internal/build/build-kit'
import { createSite } from './new-site'

const root = resolve(import.meta.dirname, '../..')
const example = join(root, 'examples/site')

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tilth-new-site-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const manifestOf = (folder: string): unknown => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

test('a new site is built as it is', async () => {
  const folder = join(aFolder(), 'My site')
  createSite({ folder, example, sitePackage: new URL('https://tilth.example.com/site.tgz') })
  const builder = new KitBuilder({
    folder,
    output: aFolder(),
    runtime: join(root, 'src/site-kit/internal/runtime'),
    packages: join(root, 'node_modules'),
    isDev: false,
  })
  onTestFinished(() => builder.close())
  const outcome = await builder.build()
  expect(outcome).toMatchObject({ done: true })
  if (!outcome.done) return
  expect(outcome.manifest.pages).toMatchObject([{ address: '/pricing' }])
})

test('the package of a Tilth is named by its address', () => {
  const folder = join(aFolder(), 'My site')
  const sitePackage = new URL('https://tilth.example.com/_tilth/packages/site-0.1.0.tgz')
  expect(createSite({ folder, example, sitePackage })).toMatchObject({ done: true })
  expect(manifestOf(folder)).toMatchObject({
    name: 'my-site',
    devDependencies: { '@tilth/site': 'https://tilth.example.com/_tilth/packages/site-0.1.0.tgz' },
  })
})

test('without an address, the folder has a copy of the package and names nothing outside', () => {
  const file = join(aFolder(), 'site-0.1.0.tgz')
  writeFileSync(file, 'packed')
  const folder = aFolder()
  createSite({ folder, example, sitePackage: file })
  expect(manifestOf(folder)).toMatchObject({
    devDependencies: { '@tilth/site': 'file:packages/site-0.1.0.tgz' },
  })
  expect(readFileSync(join(folder, 'packages/site-0.1.0.tgz'), 'utf8')).toBe('packed')
})

test('a folder with files in it stays as it is', () => {
  const folder = aFolder()
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  const sitePackage = new URL('https://tilth.example.com/site.tgz')
  expect(createSite({ folder, example, sitePackage })).toEqual({
    done: false,
    problem: `${folder} is not empty. Name a new folder.`,
  })
  expect(existsSync(join(folder, 'package.json'))).toBe(false)
})
