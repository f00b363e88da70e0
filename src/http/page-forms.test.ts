import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { serverActionFiles } from '#test/rules/server-actions'
import { formParts, pageFormOf } from './page-forms'

const app = join(import.meta.dirname, '../app')
const sources = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(join(app, file), 'utf8') }))
const multipart = { headers: { 'content-type': 'multipart/form-data; boundary=x' } }

describe('all forms of pages are known', () => {
  test('server actions belong to the studio and to shared pages', () => {
    const withActions = serverActionFiles().map(({ path }) => path)
    expect(withActions.length).toBeGreaterThan(30)
    expect(withActions.filter((file) => !file.startsWith('studio/'))).toEqual([])
    for (const path of ['/studio', '/studio/sign-in', '/studio/acme/posts/hello', '/share/token'])
      expect(pageFormOf(multipart, path)).toMatchObject({ namesAction: true })
  })

  test('a route that takes a form has an entry of its own, because its form names no action', () => {
    const routes = sources.filter(
      ({ file, text }) =>
        /\/route\.tsx?$/.test(file) &&
        /export .*\bPOST\b/.test(text) &&
        // only the front asks for these
        !file.includes('%5Ftilth/'),
    )
    const paths = routes.map(({ file }) =>
      `/${file}`
        .replace(/\/route\.tsx?$/, '')
        .replace(/\/\([^/]*\)/g, '')
        .replace(/\[[^/]*\]/g, 'acme'),
    )
    expect(paths.length).toBeGreaterThan(0)
    for (const path of paths) expect(pageFormOf(multipart, path), path).toMatchObject({ namesAction: false })
  })
})

describe('the parts of a form', () => {
  async function encoded(entries: readonly (readonly [string, string | File])[]) {
    const form = new FormData()
    for (const [name, value] of entries) form.append(name, value)
    const response = new Response(form)
    return {
      bytes: Buffer.from(await response.arrayBuffer()),
      type: response.headers.get('content-type') ?? '',
    }
  }

  test('are found as a browser writes them', async () => {
    const { bytes, type } = await encoded([
      ['empty', ''],
      ['lines', '\r\n\r\n--\r\n'],
      ['of "a" kind', 'é'],
      ['picture', new File(['GIF89a'], 'a.gif', { type: 'image/gif' })],
    ])
    expect(formParts(bytes, type, 4)).toHaveLength(4)
    expect(formParts(bytes, type, 3)).toBeUndefined()
    expect(formParts(bytes, type.replace(/boundary=(.*)/, 'charset=utf-8; boundary="$1"'), 4)).toHaveLength(4)
  })

  test('are none of a form that is cut short anywhere', async () => {
    const { bytes, type } = await encoded([
      ['a', 'b'],
      ['c', ''],
    ])
    const end = bytes.lastIndexOf('--') + 2
    for (let length = 0; length < end; length++)
      expect(formParts(bytes.subarray(0, length), type, 10), String(length)).toBeUndefined()
    expect(formParts(bytes.subarray(0, end), type, 10)).toHaveLength(2)
  })

  test.each([
    // the body                                                                   why it is none
    ['--x\r\n\r\nb\r\n--x--\r\n', 'no head'],
    ['--x\r\ncontent-type: text/plain\r\n\r\nb\r\n--x--\r\n', 'no name'],
    [
      `--x\r\ncontent-disposition: form-data; name="${'a'.repeat(5000)}"\r\n\r\nb\r\n--x--\r\n`,
      'a long head',
    ],
    ['before\r\n--x--\r\n', 'text before'],
    ['--y--\r\n', 'another boundary'],
  ])('are none of %j: %s', (body) => {
    expect(formParts(Buffer.from(body), 'multipart/form-data; boundary=x', 10)).toBeUndefined()
  })

  test('need a boundary', () => {
    expect(formParts(Buffer.from('----\r\n'), 'multipart/form-data', 10)).toBeUndefined()
  })
})
