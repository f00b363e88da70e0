import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { KitBuilder } from '#site-kit/internal/build/build-kit'
import { KitRenderer } from '#site-kit/kit-renderer'
import type { CalledRequest, CallInput, KitSurroundings, RenderInput } from '#site-kit/protocol'

const root = resolve(import.meta.dirname, '../..')

interface KitSetting extends Partial<KitSurroundings> {
  isDev?: boolean
}

/** Builds these files and renders them. */
export async function aKit(
  files: Record<string, string | Uint8Array>,
  {
    isDev = false,
    settings = {},
    network = { reachesInternet: true, hosts: [], networks: [], closed: [] },
  }: KitSetting = {},
) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'tilth-kit-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const folder = join(base, 'site')
  const write = (written: typeof files): void => {
    for (const [path, contents] of Object.entries(written)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), contents)
    }
  }
  write(files)
  const output = join(base, 'out')
  const builder = new KitBuilder({
    folder,
    output,
    runtime: join(root, 'src/site-kit/internal/runtime'),
    packages: join(root, 'node_modules'),
    isDev,
  })
  onTestFinished(() => builder.close())
  const renderer = new KitRenderer({
    surroundings: () => ({ settings, network, formKey: 'a key' }),
    onTrouble: (problem) => expect(problem).toBeUndefined(),
  })
  onTestFinished(() => renderer.close())
  const build = async () => {
    const built = await builder.build()
    if (built.done) renderer.use({ output, manifest: built.manifest, problems: [], isDev })
    return built
  }
  const outcome = await build()
  /** Builds once more, with these files changed. */
  const change = async (changed: typeof files) => {
    write(changed)
    return await build()
  }
  const render = (file: string, input: Partial<RenderInput> = {}, questions = {}) =>
    renderer.render(
      {
        file,
        isPage: file.startsWith('pages/'),
        prefix: 'p',
        props: {},
        parts: [],
        visit: usualVisit,
        ...input,
      },
      questions,
    )
  /** Sends a request to a route, or a form to a page. */
  const call = (
    file: string,
    { body = '', ...request }: Partial<Omit<CalledRequest, 'body'>> & { body?: string } = {},
    input: Partial<CallInput> = {},
  ) =>
    renderer.call({
      kind: 'route',
      file,
      params: {},
      visit: usualVisit,
      ...input,
      request: { method: 'GET', url: 'http://site.test/a', headers: [], ...request, body: Buffer.from(body) },
    })
  /** The text of all assets of a kind. */
  const assets = (): Record<string, string> => {
    const texts: Record<string, string> = {}
    for (const name of readdirSync(join(output, 'assets'))) {
      const kind = extname(name)
      texts[kind] = (texts[kind] ?? '') + readFileSync(join(output, 'assets', name), 'utf8')
    }
    return texts
  }
  /** The file at an address. */
  const asset = (address: string): Buffer => readFileSync(join(output, 'assets', basename(address)))
  return { outcome, render, call, asset, assets, change, output }
}

export const usualVisit = { path: '/', decisions: { plan: 'b' }, payloads: {}, withheld: ['secret'] }
