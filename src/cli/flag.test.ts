import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { aFolder, openTestProduct, requireDone } from '#test/product/fixture'
import { operator } from '#projects/access'
import { commandLine } from './command-line'

const you = operator('Ana')
const root = resolve(import.meta.dirname, '../../..')

afterEach(() => {
  process.exitCode = undefined
})

/** A project with a flag, and a shell on its machine. */
async function aShell() {
  const { product, folder, aProject } = await openTestProduct()
  const { id } = await aProject({ name: 'Acme' })
  const conditions = [{ percentage: 12.5 }]
  const wanted = { key: 'checkout', description: 'Buys faster', environments: { production: { conditions } } }
  requireDone(await product.flags.create(id, wanted, you))
  vi.stubEnv('TILTH_DATA', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { product, id, says }
}

/** Runs a command and returns its standard output, its errors and its exit code. */
async function says(...args: string[]) {
  const out: string[] = []
  const err: string[] = []
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean(out.push(String(text)))),
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(err.push(String(text)))),
  ]
  try {
    await commandLine({ root, programs: join(root, 'dist') }, '0.0.0').parseAsync(['flag', ...args], {
      from: 'user',
    })
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return { out: out.join(''), err: err.join(''), code: process.exitCode }
}

describe('tilth flag', () => {
  test('lists how flags stand, as a table and as JSON', async () => {
    const shell = await aShell()

    expect((await shell.says('list', 'acme')).out).toBe(
      [
        'KEY       KIND    STATE  ROLLOUT  DESCRIPTION',
        'checkout  switch  off    12.5%    Buys faster',
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await shell.says('list', 'acme', '--json')).out)).toMatchObject([{ key: 'checkout' }])
  })

  test('turns one on and off, in the environment that is named', async () => {
    const { product, id, ...shell } = await aShell()
    requireDone(await product.flags.environments.create(id, { name: 'staging' }, you))

    expect((await shell.says('on', 'acme', 'checkout')).out).toBe('“checkout” is on in production.\n')
    const on = ['on', 'acme', 'checkout', '--environment', 'staging', '--json']
    expect(JSON.parse((await shell.says(...on)).out)).toMatchObject({
      environments: { production: { isOn: true }, staging: { isOn: true } },
    })
    expect((await shell.says('off', 'acme', 'checkout')).out).toBe('“checkout” is off in production.\n')
    expect((await product.flags.history(id, 'checkout', you)).map(({ by }) => by)).toEqual([
      'command line',
      'command line',
      'command line',
      'Ana',
    ])
  })

  test('takes flags over from a file, and says what could not be', async () => {
    const { says: say } = await aShell()
    const file = join(aFolder(), 'flags.json')
    const flag = { key: 'cta', active: true, filters: { groups: [{ rollout_percentage: 25 }] } }
    writeFileSync(file, JSON.stringify({ results: [flag, { key: 'no good!' }] }))

    expect(await say('import', 'acme', file)).toEqual({
      out: [
        'made     cta',
        'refused  no good!: A flag’s key has 1 to 200 letters, digits, dots, dashes and underscores.',
        '1 made, 0 changed, 1 refused.',
        '',
      ].join('\n'),
      err: '',
      code: 1,
    })
  })

  test.each<[string, string[], string]>([
    ['a flag that is not there', ['on', 'acme', 'none'], 'There is no such flag in this project.\n'],
    ['a project that is not there', ['list', 'none'], 'There is no such project.\n'],
    [
      'a file that is not there',
      ['import', 'acme', '/nowhere/flags.json'],
      '/nowhere/flags.json cannot be read. Save the response of PostHog’s API at /api/projects/<id>/feature_flags/.\n',
    ],
  ])('says so of %s', async (_, args, sentence) => {
    const shell = await aShell()

    expect(await shell.says(...args)).toEqual({ out: '', err: sentence, code: 1 })
  })
})
