import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { aFolder, openTestProduct } from '#test/fixture'
import { commandLine } from './command-line'

const root = resolve(import.meta.dirname, '../../..')

afterEach(() => {
  process.exitCode = undefined
})

async function says(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(out.push(String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(err.push(String(text)))),
  ]
  try {
    await commandLine({ root, programs: join(root, 'dist') }, '0.0.0').parseAsync(['survey', ...args], {
      from: 'user',
    })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return { out: out.join(''), err: err.join(''), code: process.exitCode }
}

test('a survey is made from a file, launched, stopped and exported', async () => {
  const { folder, aProject } = await openTestProduct()
  await aProject({ name: 'Acme' })
  vi.stubEnv('TILTH_DATA', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = join(aFolder(), 'why.json')
  const id = 'why-do-you-ask'
  writeFileSync(
    file,
    JSON.stringify({ id, name: 'Why?', content: { questions: [{ kind: 'open', text: 'Why?' }] } }),
  )

  expect(await says('create', 'acme', file)).toMatchObject({ out: `“Why?” is made: ${id}\n`, err: '' })
  expect((await says('list', 'acme')).out).toMatch(/why-do-you-ask {2}draft {3}popover {4}1 {10}Why\?\n$/)
  expect((await says('launch', 'acme', id)).out).toBe('“Why?” is launched.\n')
  expect((await says('stop', 'acme', id)).out).toBe('“Why?” is stopped.\n')
  expect((await says('show', 'acme', id)).out).toBe('Why? (ended, version 1)\n1. Why? (open)\n')

  const exported = await says('export', 'acme', id)
  writeFileSync(file, exported.out)
  expect(JSON.parse((await says('create', 'acme', file, '--json')).out)).toMatchObject({
    name: 'Why?',
    content: JSON.parse(exported.out).content,
  })
  expect(await says('show', 'acme', 'unknown')).toMatchObject({
    code: 1,
    err: 'There is no such survey in this project. See: tilth survey list <project>\n',
  })
})

test('responses are exported by the Tilth that runs; without one, the command says so', async () => {
  const { folder, aProject } = await openTestProduct()
  await aProject({ name: 'Acme' })
  vi.stubEnv('TILTH_DATA', folder)
  vi.stubEnv('PORT', '9') // where nothing answers
  onTestFinished(() => void vi.unstubAllEnvs())

  expect(await says('export', 'acme', 'why-do-you-ask', '--responses')).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^No Tilth answers at http:\/\/localhost:9:/),
  })
})
